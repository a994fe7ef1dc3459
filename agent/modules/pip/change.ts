// Installing and removing with pip.
import { readFile } from 'node:fs/promises'
import type { Value } from '../../../core/value/index.ts'
import { normalName } from '../../packages/requirement.ts'
import type { Arguments } from '../arguments.ts'
import type { Call } from '../module.ts'
import { extraOptions, installOptions, itemsOf, laterOptions, sharedOptions } from './options.ts'
import { requirementsOf } from './requirements.ts'
import { type Place, pipVersion, placeOf, runPip } from './run.ts'

/** Gives `use` the files of requirements as options, and removes their copies after it. */
async function withRequirements(
  args: Arguments,
  call: Call,
  use: (place: Place, options: readonly string[], paths: readonly string[]) => Promise<Value>,
): Promise<Value> {
  const place = placeOf(args)
  const files = await requirementsOf(args.value('requirements'), args.value('saltenv'), place, call)
  if (files.kind === 'missing') return { result: false, comment: `pip requirements file '${files.name}' not found` }
  try {
    const options = files.paths.flatMap((path) => ['--requirement', path])
    return await use({ ...place, cwd: files.cwd }, options, files.paths)
  } finally {
    await files.remove()
  }
}

/** `pip.install`: what the program told. */
export function install(args: Arguments, call: Call): Promise<Value> {
  return withRequirements(args, call, async (place, files) => {
    const options = await installOptions(args, call, await pipVersion(call, place))
    const packages = packagesOf(args.value('pkgs'))
    const later = laterOptions(args)
    if (packages.length + files.length === 0 && !args.is('editable'))
      return { retcode: 0, stdout: 'No packages to install.' }
    return runPip(call, place, ['install', ...files, ...options, ...packages, ...later])
  })
}

/** Between commas, so that those of a range of versions are semicolons; as they are in a list. */
function packagesOf(value: Value): string[] {
  return Array.isArray(value) ? itemsOf(value) : itemsOf(value).map((item) => item.replaceAll(';', ','))
}

/** `pip.uninstall`: what the program told. */
export function uninstall(args: Arguments, call: Call): Promise<Value> {
  return withRequirements(args, call, async (place, files, paths) => {
    const pinned = new Set<string>()
    for (const path of paths)
      for (const [, name = ''] of (await readFile(path, 'utf8')).matchAll(/^\s*([\w.-]+)\s*==/gm))
        pinned.add(normalName(name))
    // What a file of requirements names is not named a second time.
    const packages = itemsOf(args.value('pkgs')).filter((name) => !pinned.has(normalName(name)))
    const options = [...files, ...(await sharedOptions(args, call)), ...packages, ...extraOptions(args)]
    return runPip(call, place, ['uninstall', '-y', ...options])
  })
}
