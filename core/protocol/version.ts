// The protocol's version, spoken in the `Brine-Protocol` header of every request and answer.

/** The version this code speaks. A server serves this one and the one before. */
export const PROTOCOL_VERSION = 1

/** The header that carries it. */
export const PROTOCOL_HEADER = 'brine-protocol'

/** True where a server of this version serves a peer of that one. A peer that says nothing is taken for the current. */
export function isServed(version: string | undefined): boolean {
  if (version === undefined) return true
  const number = Number(version)
  return number === PROTOCOL_VERSION || number === PROTOCOL_VERSION - 1
}
