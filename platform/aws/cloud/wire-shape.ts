// What the SDK answers, in the names and nesting of EC2's own answers, which Salt hands on: `instanceState`, `tagSet: {item: …}`.
import type { Mapping, Value } from '../../../core/value/index.ts'

/** Members whose name on the wire is not the SDK's with a small first letter (and `Set`, for lists). */
const names: Readonly<Record<string, string>> = {
  BlockDeviceMappings: 'blockDeviceMapping',
  Groups: 'groupSet',
  Ipv6Addresses: 'ipv6AddressesSet',
  Licenses: 'licenseSet',
  NetworkInterfaces: 'networkInterfaceSet',
  PrivateIpAddresses: 'privateIpAddressesSet',
  ProductCodes: 'productCodes',
  PublicDnsName: 'dnsName',
  PublicIpAddress: 'ipAddress',
  SecurityGroups: 'groupSet',
  StateTransitionReason: 'reason',
  Tags: 'tagSet',
}

/** The same for the members of one kind. */
const instanceNames: Readonly<Record<string, string>> = { State: 'instanceState' }
const imageNames: Readonly<Record<string, string>> = {
  State: 'imageState',
  OwnerId: 'imageOwnerId',
  Public: 'isPublic',
}

/** An instance. All values are text, a list of one is its item, an empty one null. */
export function instanceShape(instance: object): Mapping {
  return membersOf(instance, instanceNames)
}

/** An image, likewise. */
export function imageShape(image: object): Mapping {
  return membersOf(image, imageNames)
}

/** Anything else, such as the change of an instance's state. */
export function wireShape(value: object): Mapping {
  return membersOf(value, {})
}

function membersOf(value: object, own: Readonly<Record<string, string>>): Mapping {
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    members.map(([key, member]) => [own[key] ?? names[key] ?? wireName(key, member), memberOf(member)]),
  )
}

function wireName(key: string, member: unknown): string {
  const small = key.charAt(0).toLowerCase() + key.slice(1)
  return Array.isArray(member) ? `${small.replace(/s$/, '')}Set` : small
}

function memberOf(member: unknown): Value {
  if (member === null) return null
  if (member instanceof Date) return member.toISOString()
  if (Array.isArray(member)) {
    const items = member.map(memberOf)
    const [one] = items
    return one === undefined ? null : { item: items.length === 1 ? one : items }
  }
  return typeof member === 'object' ? membersOf(member, {}) : String(member)
}
