// What RunInstances is asked for, out of a machine's settings.
import type { Ec2Settings } from '../../core/cloud/index.ts'
import type { Mapping, Value } from '../../core/value/index.ts'
import { RunError } from '../run.ts'
import type { Findable, Machines, Place } from './ports.ts'

/** The input, without user data, token and tags. Names of images, subnets and groups are looked up. Throws for those that are not there. */
export async function orderOf(settings: Ec2Settings, machines: Machines, place: Place): Promise<Mapping> {
  const find = async (what: Findable, name: string, sentence: string): Promise<string> => {
    const found = await machines.find(place, what, name)
    if (found === undefined) throw new RunError(sentence)
    return found
  }
  const name = settings.name ?? ''
  const image = settings.image ?? ''
  const imageId = image.startsWith('ami-')
    ? image
    : await find('image', image, `There is no image with the name '${image}' in ${place.region} for '${name}'.`)
  const subnet =
    settings.subnetid ??
    (settings.subnetname === undefined
      ? undefined
      : await find('subnet', settings.subnetname, `No such subnet <${settings.subnetname}>`))
  const groups = [...(settings.securitygroupid ?? [])]
  for (const group of settings.securitygroupname ?? [])
    groups.push(await find('group', group, `There is no security group with the name '${group}' in ${place.region}.`))
  const placement = present({
    AvailabilityZone: settings.availability_zone,
    GroupName: settings.placementgroup,
    Tenancy: settings.tenancy,
  })
  const devices = await devicesOf(settings, imageId, machines, place)
  return present({
    ImageId: imageId,
    InstanceType: settings.size,
    MinCount: 1,
    MaxCount: 1,
    KeyName: settings.keyname,
    SecurityGroups: settings.securitygroup,
    SecurityGroupIds: groups.length === 0 ? undefined : groups,
    SubnetId: subnet,
    IamInstanceProfile: profileOf(settings.iam_profile),
    Placement: Object.keys(placement).length === 0 ? undefined : placement,
    BlockDeviceMappings: devices.length === 0 ? undefined : devices,
    NetworkInterfaces: settings.network_interfaces?.map(interfaceOf),
    EbsOptimized: settings.ebs_optimized,
    DisableApiTermination: settings.termination_protection,
    InstanceMarketOptions: marketOf(settings.spot_config),
    // A minion shows who it is by what the metadata service tells; nobody else is to hear it.
    MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
  })
}

/** As the query interface writes it, which is how Salt tells it in `requesting`: `Placement.Tenancy`, `SecurityGroup.0`. */
export function queryParams(order: Mapping): Mapping {
  const params: Mapping = { Action: 'RunInstances' }
  const add = (key: string, value: Value): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) add(`${singular(key)}.${index}`, item)
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value)) add(key === '' ? name : `${key}.${name}`, item as Value)
    else params[key] = typeof value === 'boolean' ? String(value) : value
  }
  add('', order)
  return params
}

function singular(key: string): string {
  return key.replace(/s$/, '')
}

function profileOf(profile: string | undefined): Mapping | undefined {
  if (profile === undefined) return undefined
  return profile.startsWith('arn:') ? { Arn: profile } : { Name: profile }
}

function marketOf(spot: Ec2Settings['spot_config']): Mapping | undefined {
  if (spot === undefined) return undefined
  return { MarketType: 'spot', SpotOptions: { MaxPrice: spot.spot_price, SpotInstanceType: spot.type ?? 'one-time' } }
}

/** The mappings as written, and whether volumes go with the machine. */
async function devicesOf(settings: Ec2Settings, image: string, machines: Machines, place: Place): Promise<Mapping[]> {
  const all = settings.del_all_vols_on_destroy
  const devices = (settings.block_device_mappings ?? []).map((written): Mapping => {
    const { tag: _, ...device } = withPaths(written as Mapping)
    return all === true && device.Ebs !== undefined
      ? { ...device, Ebs: { ...(device.Ebs as Mapping), DeleteOnTermination: true } }
      : device
  })
  const root = settings.del_root_vol_on_destroy
  if (root === undefined) return devices
  const name = await machines.find(place, 'root', image)
  if (name === undefined) return devices
  const known = devices.find(({ DeviceName }) => DeviceName === name)
  const changed = { ...known, DeviceName: name, Ebs: { ...(known?.Ebs as Mapping), DeleteOnTermination: root } }
  return known === undefined ? [...devices, changed] : devices.map((each) => (each === known ? changed : each))
}

/** `Ebs.VolumeSize: 20` is `Ebs: {VolumeSize: 20}`. */
function withPaths(written: Mapping): Mapping {
  const result: Mapping = {}
  for (const [key, value] of Object.entries(written)) {
    const [first = key, rest] = key.split('.')
    result[first] = rest === undefined ? value : { ...(result[first] as Mapping), [rest]: value }
  }
  return result
}

function interfaceOf(written: NonNullable<Ec2Settings['network_interfaces']>[number]): Mapping {
  const { SecurityGroupId, delete_interface_on_terminate, ...rest } = written
  const isNew = rest.NetworkInterfaceId === undefined
  return present({
    ...(rest as Mapping),
    Groups: SecurityGroupId,
    DeleteOnTermination: isNew ? (delete_interface_on_terminate ?? true) : undefined,
  })
}

function present(values: Readonly<Record<string, Value | Mapping | readonly string[] | undefined>>): Mapping {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Mapping
}
