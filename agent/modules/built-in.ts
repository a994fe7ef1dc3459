// Every module the agent brings along.

import { alternatives } from './alternatives.ts'
import { archive } from './archive.ts'
import { beacons } from './beacons.ts'
import { cmd } from './cmd.ts'
import { config } from './config.ts'
import { cp } from './cp.ts'
import { cron } from './cron.ts'
import { debconf } from './debconf.ts'
import { disk } from './disk/disk.ts'
import { environ } from './environ.ts'
import { event } from './event.ts'
import { file } from './file/file.ts'
import { git } from './git/git.ts'
import { grains } from './grains.ts'
import { group } from './group.ts'
import { hosts } from './hosts.ts'
import { http } from './http.ts'
import { ini } from './ini.ts'
import { key } from './key.ts'
import { kmod } from './kmod.ts'
import { locale } from './locale.ts'
import { log } from './log.ts'
import { match } from './match.ts'
import { mine } from './mine.ts'
import type { ExecutionModule } from './module.ts'
import { mount } from './mount/mount.ts'
import { network } from './network/network.ts'
import { pillar } from './pillar.ts'
import { pip } from './pip/pip.ts'
import { pkg } from './pkg.ts'
import { ps } from './ps/ps.ts'
import { saltutil } from './saltutil.ts'
import { schedule } from './schedule.ts'
import { service } from './service.ts'
import { shadow } from './shadow.ts'
import { ssh } from './ssh.ts'
import { state } from './state.ts'
import { status } from './status.ts'
import { sys } from './sys.ts'
import { sysctl } from './sysctl.ts'
import { system } from './system.ts'
import { data } from './templates/data.ts'
import { defaults, jinja } from './templates/defaults.ts'
import { hashutil } from './templates/hashutil.ts'
import { random } from './templates/random.ts'
import { publish, sdb } from './templates/refused.ts'
import { slsutil } from './templates/slsutil.ts'
import { test } from './test.ts'
import { timezone } from './timezone.ts'
import { user } from './user.ts'

/** The built-in modules; a new one adds its line here. */
export const builtInModules: readonly ExecutionModule[] = [
  alternatives,
  archive,
  beacons,
  cmd,
  config,
  cp,
  cron,
  data,
  debconf,
  defaults,
  disk,
  environ,
  event,
  file,
  git,
  grains,
  group,
  hashutil,
  hosts,
  http,
  ini,
  jinja,
  key,
  kmod,
  locale,
  log,
  match,
  mine,
  mount,
  network,
  pillar,
  pip,
  pkg,
  ps,
  publish,
  random,
  saltutil,
  schedule,
  sdb,
  service,
  shadow,
  slsutil,
  ssh,
  state,
  status,
  sys,
  sysctl,
  system,
  test,
  timezone,
  user,
]
