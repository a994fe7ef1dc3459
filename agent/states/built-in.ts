// Every state module the agent brings along.

import { alternatives } from './alternatives.ts'
import { archive } from './archive/archive.ts'
import { beacon } from './beacon.ts'
import { cmd } from './cmd.ts'
import { cron } from './cron.ts'
import { debconf } from './debconf.ts'
import { environ } from './environ.ts'
import { event } from './event.ts'
import { file } from './file/file.ts'
import { git } from './git/git.ts'
import { grains } from './grains.ts'
import { group } from './group.ts'
import { host } from './host.ts'
import { http } from './http.ts'
import { ini } from './ini.ts'
import { kmod } from './kmod.ts'
import { locale } from './locale.ts'
import { module } from './module.ts'
import { mount } from './mount/mount.ts'
import { pip } from './pip/pip.ts'
import { pkg } from './pkg/pkg.ts'
import { pkgrepo } from './pkgrepo.ts'
import { saltutil } from './saltutil.ts'
import { schedule } from './schedule.ts'
import { service } from './service/service.ts'
import { sshAuth } from './ssh-auth.ts'
import { sshKnownHosts } from './ssh-known-hosts.ts'
import type { StateModule } from './state-module.ts'
import { status } from './status.ts'
import { sysctl } from './sysctl.ts'
import { test } from './test.ts'
import { timezone } from './timezone.ts'
import { user } from './user.ts'

/** The built-in state modules; a new one adds its line here. */
export const builtInStates: readonly StateModule[] = [
  alternatives,
  archive,
  beacon,
  cmd,
  cron,
  debconf,
  environ,
  event,
  file,
  git,
  grains,
  group,
  host,
  http,
  ini,
  kmod,
  locale,
  module,
  mount,
  pip,
  pkg,
  pkgrepo,
  saltutil,
  schedule,
  service,
  sshAuth,
  sshKnownHosts,
  status,
  sysctl,
  test,
  timezone,
  user,
]
