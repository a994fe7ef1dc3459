// The settings of a machine on EC2, checked: what a provider, a profile and a map may say.
import { z } from 'zod'

/** Numbers are taken as their text, as Salt takes them. */
const text = z.union([z.string(), z.number(), z.bigint()]).transform(String)
const texts = z.union([text, z.array(text)]).transform((value) => (Array.isArray(value) ? value : [value]))
const settings = z.record(z.string(), z.unknown())
const seconds = z.number().positive()

/** EC2's own names, with a dot where Salt nests. Tags of volumes are not set here. */
const device = settings.refine((value) => value.tag === undefined, 'tag is not done here. Tag the volumes afterwards.')

/** EC2's own names; addresses of one's own are not asked for here. */
const networkInterface = z.strictObject({
  DeviceIndex: z.number(),
  NetworkInterfaceId: text.optional(),
  SubnetId: text.optional(),
  SecurityGroupId: texts.optional(),
  Description: text.optional(),
  PrivateIpAddress: text.optional(),
  PrivateIpAddresses: z.array(settings).optional(),
  SecondaryPrivateIpAddressCount: z.number().optional(),
  AssociatePublicIpAddress: z.boolean().optional(),
  delete_interface_on_terminate: z.boolean().optional(),
})

/** What decides whom one speaks to. */
const providerShape = {
  driver: text.optional(),
  provider: text.optional(),
  profile: text.nullish(),
  name: text.optional(),
  /** Access key; `use-instance-role-credentials`, or nothing, for what the master's environment has. */
  id: text.optional(),
  key: text.optional(),
  location: text.optional(),
  /** A host, as in Salt, or a URL. */
  endpoint: text.optional(),
  rename_on_destroy: z.boolean().optional(),
  /** Whose images are listed. */
  owner: text.optional(),
}

/** What a machine is made of. */
const machineShape = {
  image: text.optional(),
  size: text.optional(),
  keyname: text.optional(),
  securitygroup: texts.optional(),
  securitygroupid: texts.optional(),
  securitygroupname: texts.optional(),
  subnetid: text.optional(),
  subnetname: text.optional(),
  availability_zone: text.optional(),
  iam_profile: text.optional(),
  placementgroup: text.optional(),
  tenancy: z.enum(['default', 'dedicated', 'host']).optional(),
  ebs_optimized: z.boolean().optional(),
  termination_protection: z.boolean().optional(),
  del_root_vol_on_destroy: z.boolean().optional(),
  del_all_vols_on_destroy: z.boolean().optional(),
  block_device_mappings: z.array(device).optional(),
  network_interfaces: z.array(networkInterface).optional(),
  tag: z.record(z.string(), z.string('values must be strings. Try quoting the values.')).optional(),
  spot_config: z.object({ spot_price: text, type: z.enum(['one-time', 'persistent']).optional() }).optional(),
  ssh_interface: z.enum(['public_ips', 'private_ips']).optional(),
}

/** What makes a minion of it. */
const minionShape = {
  minion: settings.optional(),
  grains: settings.optional(),
  userdata: text.optional(),
  userdata_file: text.optional(),
  /** False: the machine is made, and nothing is installed or waited for. */
  deploy: z.boolean().optional(),
  start_action: text.nullish(),
  sync_after_install: z.union([text, z.boolean()]).optional(),
  wait_for_ip_timeout: seconds.optional(),
  wait_for_ip_interval: seconds.optional(),
  wait_for_minion_timeout: seconds.optional(),
  requires: texts.optional(),
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
  const parsed = Ec2Schema.safeParse(plain)
  if (parsed.success) return { kind: 'settings', settings: parsed.data }
  const issues = parsed.error.issues.map(({ path, message }) => ({ key: path.map(String).join(':'), message }))
  return { kind: 'wrong', issues }
}
