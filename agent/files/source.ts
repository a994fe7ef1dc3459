// Where `salt://` files come from: the master, or the minion's own file roots.

/** What is told of a file beside its bytes. */
export interface FileStat {
  readonly size: number
  /** Four octal digits; absent where the source does not know. */
  readonly mode?: string | undefined
}

/** A file of an environment. */
export interface SourceFile extends FileStat {
  /** Below the root, without a slash in front. */
  readonly path: string
}

/** What came of looking for a file. `same` where the copy one has is the file. */
export type Found =
  | { readonly kind: 'missing' }
  | { readonly kind: 'same' }
  /** Its bytes, to be gone through once; `hash` is SHA-256, hex. */
  | { readonly kind: 'bytes'; readonly hash: string; readonly pieces: AsyncIterable<Uint8Array> }

/** The files of the environments. Rejects with a BrineError `unreachable` where the master cannot be asked. */
export interface FileSource {
  envs(): Promise<string[]>
  /** Sorted; none for an environment that does not exist. */
  list(saltenv: string): Promise<readonly SourceFile[]>
  /** What {@link list} tells of one path, without going through the others; undefined where there is no such file. */
  stat(saltenv: string, path: string): Promise<FileStat | undefined>
  /** `have` is the hash of the copy one has. */
  find(saltenv: string, path: string, have: string | undefined): Promise<Found>
  /** SHA-256, hex. */
  hash(saltenv: string, path: string): Promise<string | undefined>
}
