// What every eauth backend is: it vouches for a name, or it does not.

/** What somebody shows to log in. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

/** Somebody the backend knows, with the groups it knows them in. */
export interface Vouched {
  readonly name: string
  readonly groups: readonly string[]
  /** When what was shown ends by itself, microseconds. */
  readonly until?: number
}

/**
 * A backend. `verify` takes the same time for a name that is unknown and for one whose password is wrong. `stillKnows` is
 * asked whenever a token of the name is used, so that who was taken out has no rights left.
 */
export interface Backend {
  verify(credentials: Credentials): Promise<Vouched | undefined>
  stillKnows(name: string): Promise<boolean>
}
