// The variables that a template sees about itself and about the event.
import type { Dict, Mapping, Value } from '../value/index.ts'

/**
 * Where a template is, as Salt's `generate_sls_context` says it: `tplpath tplfile tpldir tpldot slspath slsdotpath
 * slscolonpath sls_path`. For a reactor `sls` is empty and only the file's own name is left.
 */
export function templatePlace(path: string, sls: string): Record<string, string> {
  const wanted = sls.replaceAll('.', '/').replace(/\/+$/, '')
  const template = relativeTemplate(path, sls, wanted)
  if (template === undefined) {
    const folder = sls.includes('/') ? sls.slice(0, sls.lastIndexOf('/')) : '.'
    return { tplpath: path, tplfile: sls, tpldir: folder }
  }
  const folder = template.includes('/') ? template.slice(0, template.lastIndexOf('/')) : ''
  return {
    tplpath: path,
    tplfile: template,
    tpldir: folder === '' ? '.' : folder,
    tpldot: folder.replaceAll('/', '.'),
    slspath: folder,
    slsdotpath: folder.replaceAll('/', '.'),
    slscolonpath: folder.replaceAll('/', ':'),
    sls_path: folder.replaceAll('/', '_'),
  }
}

/** The template below its root; `undefined` for one that is no SLS file. */
function relativeTemplate(path: string, sls: string, wanted: string): string | undefined {
  if (sls === '') return path.slice(path.lastIndexOf('/') + 1)
  for (const ending of ['.sls', '/init.sls']) if (path.endsWith(wanted + ending)) return wanted + ending
  return undefined
}

/** What a reactor's template knows besides its file. */
export interface ReactorFacts {
  readonly tag: string
  readonly data: Mapping | Dict
  readonly grains: Mapping | Dict
  readonly pillar: Mapping | Dict
  readonly opts: Mapping | Dict
}

/** Every variable of a reactor's template but `salt`. Written out, since one is made for each file of each event. */
export function reactorContext(path: string, facts: ReactorFacts): Record<string, Value> {
  return {
    tag: facts.tag,
    data: facts.data,
    grains: facts.grains,
    pillar: facts.pillar,
    opts: facts.opts,
    saltenv: 'base',
    sls: '',
    proxy: {},
    tmplpath: path,
    tplpath: path,
    tplfile: path.slice(path.lastIndexOf('/') + 1),
    tpldir: '.',
    tpldot: '',
    slspath: '',
    slsdotpath: '',
    slscolonpath: '',
    sls_path: '',
  }
}
