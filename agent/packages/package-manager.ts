// What the pkg module needs of a package manager. apt, dnf and apk each keep these promises.
import type { Value } from '../../core/value/index.ts'
import type { Call } from '../modules/module.ts'
import type { CompareVersions } from './versions.ts'

/** Versions by the name of a package. */
export type Versions = Readonly<Record<string, readonly string[]>>

/** What the package manager has in its books. */
export interface PackageLists {
  readonly installed: Versions
  /** Removed, with files of theirs left (Debian). */
  readonly removed: Versions
  /** Installed, but to be purged once nothing needs them (Debian). */
  readonly purgeDesired: Versions
}

/** A package to act on. */
export interface PackageTarget {
  readonly name: string
  readonly version?: string | undefined
  /** A package file to install it from. */
  readonly file?: string | undefined
}

/** What may be said about a change; what a package manager does not know it ignores. */
export interface ChangeOptions {
  readonly fromrepo?: string | undefined
  readonly skipVerify?: boolean
  readonly downloadOnly?: boolean
  /** @default what the package manager does by itself */
  readonly recommends?: boolean | undefined
  readonly newConfiguration?: boolean
  readonly onlyUpgrade?: boolean
  readonly distUpgrade?: boolean
  readonly allowDowngrades?: boolean
  readonly env?: Readonly<Record<string, string>>
  /** `enablerepo`, `disablerepo`, `setopt`, …: further words for its command line. */
  readonly words?: readonly string[]
}

/** What is to be done with packages. */
export type PackageAction = 'install' | 'downgrade' | 'reinstall' | 'remove' | 'purge' | 'upgrade' | 'autoremove'

/**
 * A package manager. Never asks anything on a terminal; waits where another one holds its lock; words of its own reach
 * the user unchanged.
 */
export interface PackageManager {
  readonly name: 'apt' | 'dnf' | 'apk'
  readonly compare: CompareVersions
  /** A name without the architecture, where that is this machine's. */
  normalize(call: Call, name: string): string
  list(call: Call): Promise<PackageLists>
  /** Fetches the lists of what there is. Throws CommandExecutionError where it cannot. */
  refresh(call: Call, options: { readonly failhard: boolean; readonly validFor: number }): Promise<Value>
  /** The newest versions to be had, by name; those that cannot be had are left out. */
  candidates(
    call: Call,
    names: readonly string[],
    options: { readonly fromrepo?: string | undefined },
  ): Promise<Readonly<Record<string, string>>>
  /** All versions to be had, the newest first; of all packages where none is named. */
  available(call: Call, names: readonly string[]): Promise<Versions>
  /** What an upgrade would bring. */
  upgrades(call: Call, options: ChangeOptions): Promise<Readonly<Record<string, string>>>
  /** Does it, and answers with what the package manager says where it fails. */
  change(
    call: Call,
    action: PackageAction,
    targets: readonly PackageTarget[],
    options: ChangeOptions,
  ): Promise<readonly string[]>
  /** What was installed for others and is not needed any more. */
  unneeded(call: Call): Promise<readonly string[]>
  /** The packages that are held at their version. */
  held(call: Call): Promise<readonly string[]>
  /** Holds a package, or lets it go. Throws CommandExecutionError where that cannot be done. */
  hold(call: Call, name: string, held: boolean): Promise<void>
  /** The package a file belongs to; undefined where it is nobody's. */
  owner(call: Call, path: string): Promise<string | undefined>
  /** What is known of installed packages, by name; of all where none is named. */
  info(call: Call, names: readonly string[]): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>>
  /** The files of an installed package. */
  files(call: Call, name: string): Promise<readonly string[]>
}
