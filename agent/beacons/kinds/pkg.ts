// The `pkg` beacon: packages that can be upgraded, or were.
import { pythonStr, pythonTruth, type Value } from '../../../core/value/index.ts'
import type { BeaconEvent, BeaconKind, BeaconWorld } from '../beacon.ts'

/** Asks `pkg.version` and `pkg.latest_version` of each package; its first look tells nothing. */
export const pkgBeacon: BeaconKind = {
  name: 'pkg',
  doc: `Tell that a package can be upgraded, was upgraded, installed or removed: when its status changes between \`\`upgrade\`\`,
\`\`installed\`\` and \`\`not-installed\`\`.

.. code-block:: yaml

    beacons:
      pkg:
        - pkgs:
            - zsh
            - apache2
        - refresh: True
        - interval: 3600`,
  validate: ({ pkgs }) => (Array.isArray(pkgs) ? undefined : 'Configuration for pkg beacon requires list of pkgs.'),
  open(world) {
    const seen = new Map<string, string>()
    return {
      async look({ pkgs, refresh }) {
        const events: BeaconEvent[] = []
        for (const pkg of Array.isArray(pkgs) ? pkgs.map(pythonStr) : []) {
          const now = await statusOf(pkg, pythonTruth(refresh ?? false), world)
          const before = seen.get(pkg)
          seen.set(pkg, now.status)
          if (before !== undefined && before !== now.status) events.push({ pkg, ...now })
        }
        return events
      },
    }
  },
}

async function statusOf(
  pkg: string,
  refresh: boolean,
  { run }: BeaconWorld,
): Promise<{ version: Value; status: string }> {
  const version = await run('pkg.version', [pkg])
  if (!pythonTruth(version)) return { version: null, status: 'not-installed' }
  const latest = await run('pkg.latest_version', [pkg, { refresh, __kwarg__: true }])
  return pythonTruth(latest) ? { version: latest, status: 'upgrade' } : { version, status: 'installed' }
}
