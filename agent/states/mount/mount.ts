// Salt's `mount` states: file systems and swap areas, now and at the next boot.
import { defineState, type StateModule, slsExample } from '../state-module.ts'
import { mounted } from './mounted.ts'
import { fstabAbsent, fstabPresent, modWatch, swap, unmounted } from './others.ts'

const entryDoc = `

fs_file
    Where it is mounted.
mount_by
    How the device stands in the file: \`\`device\`\`, \`\`uuid\`\`, \`\`label\`\`, \`\`partuuid\`\`, \`\`partlabel\`\`; by default as the name has it.
config
    The file.`

/** Salt's `mount` states. */
export const mount: StateModule = {
  name: 'mount',
  functions: {
    mounted: defineState(
      "name, device, fstype, mkmnt=False, opts='defaults', dump=0, pass_num=0, config='/etc/fstab', persist=True, mount=True, user=None, match_on='auto', device_name_regex=None, extra_mount_invisible_options=None, extra_mount_invisible_keys=None, extra_mount_ignore_fs_keys=None, extra_mount_translate_options=None, hidden_opts=None, bind_mount_copy_active_opts=True, **kwargs",
      `A device is mounted. With other options it is mounted anew; another device in its place is unmounted first.

device, fstype, opts
    What is mounted, its file system, and with which options: a list, or a text with commas.
mkmnt
    Make the directory.
dump, pass_num, config, persist, match_on
    The entry in the fstab: its last two fields, the file, whether there is one, and by which fields it is known.
mount
    False: only the entry.
device_name_regex
    Devices that may be mounted there in its place.
hidden_opts, extra_mount_invisible_options, extra_mount_invisible_keys, extra_mount_ignore_fs_keys, extra_mount_translate_options
    Options that are no reason to mount anew, and those that the kernel shows another way.
user
    Who mounts it.${slsExample(`
/mnt/sdb:
  mount.mounted:
    - device: /dev/sdb1
    - fstype: ext4
    - mkmnt: True
    - opts:
      - defaults`)}`,
      mounted,
    ),
    unmounted: defineState(
      "name, device=None, config='/etc/fstab', persist=False, user=None, **kwargs",
      `Nothing is mounted there.

device
    Only this device.
persist, config
    No entry in the fstab either.${slsExample(`
/mnt/sdb:
  mount.unmounted:
    - persist: True`)}`,
      unmounted,
    ),
    swap: defineState(
      "name, persist=True, config='/etc/fstab'",
      `A swap area is in use.

persist, config
    There is an entry in the fstab.${slsExample(`
/root/swapfile:
  mount.swap: []`)}`,
      swap,
    ),
    fstab_present: defineState(
      "name, fs_file, fs_vfstype, fs_mntops='defaults', fs_freq=0, fs_passno=0, mount_by=None, config='/etc/fstab', mount=True, match_on='auto', not_change=False, fs_mount=True",
      `There is an entry in the fstab.${entryDoc}
fs_vfstype, fs_mntops, fs_freq, fs_passno
    The other fields.
mount
    Mount what is new.
match_on, not_change
    By which fields an entry is known that is there; leave it as it is.${slsExample(`
/dev/sdb1:
  mount.fstab_present:
    - fs_file: /mnt/sdb
    - fs_vfstype: ext4`)}`,
      fstabPresent,
    ),
    fstab_absent: defineState(
      "name, fs_file, mount_by=None, config='/etc/fstab'",
      `There is no such entry in the fstab.${entryDoc}${slsExample(`
/dev/sdb1:
  mount.fstab_absent:
    - fs_file: /mnt/sdb`)}`,
      fstabAbsent,
    ),
    mod_watch: defineState(
      'name, user=None, **kwargs',
      `What a \`\`watch\`\` that fired does: mount anew what is mounted.${slsExample(`
/mnt/sdb:
  mount.mounted:
    - device: /dev/sdb1
    - fstype: ext4
    - watch:
      - file: /etc/sdb.conf`)}`,
      modWatch,
    ),
  },
}
