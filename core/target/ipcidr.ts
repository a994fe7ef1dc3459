// Targets by address: an address exactly, or a network that one of the minion's addresses lies in.
import { get, isList, type Value } from '../value/index.ts'
import { contains, type Network, parseAddress, parseNetwork } from './ip.ts'
import { nobody, type TargetTest } from './target.ts'

/**
 * A test of the grains `ipv4` and `ipv6`. What is neither an address nor a network without host bits matches nobody
 * (and so in a compound target `not S@…` matches everybody).
 */
export function ipcidr(target: string): TargetTest {
  const address = parseAddress(target)
  if (address !== undefined) {
    const grain = `ipv${address.version}`
    return ({ grains }) => hasAddress(get(grains, grain), address.text)
  }
  const network = parseNetwork(target)
  if (network === undefined) return nobody
  const grain = `ipv${network.version}`
  return ({ grains }) => isInside(network, get(grains, grain))
}

function hasAddress(grain: Value | undefined, text: string): boolean {
  if (typeof grain === 'string') return grain.includes(text)
  return grain !== undefined && isList(grain) && grain.includes(text)
}

function isInside(network: Network, grain: Value | undefined): boolean {
  const texts = grain === undefined ? [] : isList(grain) ? grain : [grain]
  return texts.some((text) => {
    const address = typeof text === 'string' ? parseAddress(text) : undefined
    return address !== undefined && contains(network, address)
  })
}
