// The settings of a machine on EC2, checked: what a provider, a profile and a map may say.
import * as z from 'zod/mini'
import { check } from '../protocol/check.ts'

/** Numbers are taken as their text, as Salt takes them. */
const text = z.pipe(z.union([z.string(), z.number(), z.bigint()]), z.transform(String))
const texts = z.pipe(
  z.union([text, z.array(text)]),
  z.transform((value) => (Array.isArray(value) ? value : [value])),
)
const settings = z.record(z.string(), z.unknown())
const seconds = z.number().check(z.positive())

/** EC2's own names, with a dot where Salt nests. Tags of volumes are not set here. */
const device = settings.check(
  z.refine((value) => value.tag === undefined, 'tag is not done here. Tag the volumes afterwards.'),
)

/** EC2's own names; addresses of one's own are not asked for here. */
const networkInterface = z.strictObject({
  DeviceIndex: z.number(),
  NetworkInterfaceId: z.optional(text),
  SubnetId: z.optional(text),
  SecurityGroupId: z.optional(texts),
  Description: z.optional(text),
  PrivateIpAddress: z.optional(text),
  PrivateIpAddresses: z.optional(z.array(settings)),
  SecondaryPrivateIpAddressCount: z.optional(z.number()),
  AssociatePublicIpAddress: z.optional(z.boolean()),
  delete_interface_on_terminate: z.optional(z.boolean()),
})

/** What decides whom one speaks to. */
const providerShape = {
  driver: z.optional(text),
  provider: z.optional(text),
  profile: z.nullish(text),
  name: z.optional(text),
  /** Access key; `use-instance-role-credentials`, or nothing, for what the master's environment has. */
  id: z.optional(text),
  key: z.optional(text),
  location: z.optional(text),
  /** A host, as in Salt, or a URL. */
  endpoint: z.optional(text),
  rename_on_destroy: z.optional(z.boolean()),
  /** Whose images are listed. */
  owner: z.optional(text),
}

/** What a machine is made of. */
const machineShape = {
  image: z.optional(text),
  size: z.optional(text),
  keyname: z.optional(text),
  securitygroup: z.optional(texts),
  securitygroupid: z.optional(texts),
  securitygroupname: z.optional(texts),
  subnetid: z.optional(text),
  subnetname: z.optional(text),
  availability_zone: z.optional(text),
  iam_profile: z.optional(text),
  placementgroup: z.optional(text),
  tenancy: z.optional(z.enum(['default', 'dedicated', 'host'])),
  ebs_optimized: z.optional(z.boolean()),
  termination_protection: z.optional(z.boolean()),
  del_root_vol_on_destroy: z.optional(z.boolean()),
  del_all_vols_on_destroy: z.optional(z.boolean()),
  block_device_mappings: z.optional(z.array(device)),
  network_interfaces: z.optional(z.array(networkInterface)),
  tag: z.optional(z.record(z.string(), z.string('values must be strings. Try quoting the values.'))),
  spot_config: z.optional(z.object({ spot_price: text, type: z.optional(z.enum(['one-time', 'persistent'])) })),
  ssh_interface: z.optional(z.enum(['public_ips', 'private_ips'])),
}

/** What makes a minion of it. */
const minionShape = {
  minion: z.optional(settings),
  grains: z.optional(settings),
  userdata: z.optional(text),
  userdata_file: z.optional(text),
  /** False: the machine is made, and nothing is installed or waited for. */
  deploy: z.optional(z.boolean()),
  start_action: z.nullish(text),
  sync_after_install: z.optional(z.union([text, z.boolean()])),
  wait_for_ip_timeout: z.optional(seconds),
  wait_for_ip_interval: z.optional(seconds),
  wait_for_minion_timeout: z.optional(seconds),
  requires: z.optional(texts),
}

/** All of them. Keys that are in none of the tables are left to {@link unknownKeys}. */
const Ec2Schema = z.object({ ...providerShape, ...machineShape, ...minionShape })

/** A machine's settings. */
export type Ec2Settings = z.infer<typeof Ec2Schema>

/** Names of the keys there are. */
export const ec2Keys: readonly string[] = Object.keys(Ec2Schema.shape)

/** Where and as whom EC2 is asked: a provider's to say, since its machines are looked for there. */
export const placeKeys: readonly string[] = ['id', 'key', 'location', 'endpoint']

/** Salt's keys for what is not done here, by pattern, each with what to know. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:ssh_|private_key$|script|win_|winrm_|use_winrm$|deploy_|display_ssh_output$|file_transport$|hard_timeout$|preseed_|keep_tmp$|sudo|tty$|password$|known_hosts_file$|bootstrap_delay$|delete_sshkeys$|keysize$|inline_script|force_minion_config$|file_map$|master_finger$)/,
    'It has no effect: nothing is deployed over SSH. The user data installs the minion.',
  ],
  [/^(?:delvol_on_destroy|del_vol_on_destroy)$/, 'Write del_root_vol_on_destroy or del_all_vols_on_destroy.'],
  [/^(?:volumes|create_volumes)$/, 'It is not done here. Write block_device_mappings.'],
  [/^make_(?:master|minion)$/, 'It is not done here: a machine becomes a minion of this master.'],
  [/^role_arn$/, 'It is not done here. Give the master a role, or use credentials of that role.'],
  [
    /^(?:ssm_document|min_instance|max_instance|userdata_template|queue_instances|service_url)$/,
    'It is not done here.',
  ],
  [/^(?:aws_api_version|ec2_api_version|win_installer|verify_ssl|reactor)$/, 'It has no effect here.'],
]

/** What is known of a key that no machine has: Salt's keys for other ways. */
export function saltsOwn(key: string): string | undefined {
  return elsewhere.find(([pattern]) => pattern.test(key))?.[1]
}

/** Settings that were checked, or what is wrong with them: a key and a sentence each. */
export type CheckedSettings =
  | { readonly kind: 'settings'; readonly settings: Ec2Settings }
  | { readonly kind: 'wrong'; readonly issues: readonly { readonly key: string; readonly message: string }[] }

/** Checks plain values. */
export function checkEc2Settings(plain: unknown): CheckedSettings {
  const parsed = check(Ec2Schema, plain)
  if (parsed.success) return { kind: 'settings', settings: parsed.data }
  const issues = parsed.error.issues.map(({ path, message }) => ({ key: path.map(String).join(':'), message }))
  return { kind: 'wrong', issues }
}
