// The suites that play what was recorded of Salt in bulk: `npm run test:variants` runs them, and `npm test` does not.

/** Globs of their files. */
export const recorded = [
  'test/golden/golden.test.ts',
  'test/variants/**/*.test.ts',
  'test/api/variants.test.ts',
  'agent/modules/disk/disk.test.ts',
  'agent/modules/file/file.test.ts',
  'agent/modules/network/network.test.ts',
  'agent/modules/programs.test.ts',
  'agent/modules/templates/templates.test.ts',
  'agent/packages/repositories/repositories.test.ts',
  'agent/states/alternatives.test.ts',
  'agent/states/debconf.test.ts',
  'agent/states/file/file.test.ts',
  'agent/states/git/git.test.ts',
  'agent/states/ini.test.ts',
  'agent/states/mount/mount.test.ts',
  'agent/states/pip/pip.test.ts',
  'agent/states/salt-cases.test.ts',
  'agent/states/archive/archive.test.ts',
]
