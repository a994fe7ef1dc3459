// A requirement as pip reads it: a project with versions, or a link whose project is known once it is installed.
import type { Specifier } from './pep440.ts'

/** What a line asks for. */
export type Requirement =
  | { readonly kind: 'project'; readonly name: string; readonly specifiers: readonly Specifier[] }
  | { readonly kind: 'link' }
  | { readonly kind: 'refused'; readonly why: string }

const project = /^\s*([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$/i
const specifier = /^\s*(===|==|~=|!=|<=|>=|<|>)\s*([^\s,]+)\s*$/

/** Reads one. */
export function requirementOf(line: string): Requirement {
  const [asked = ''] = line.split(/;\s|\s;/)
  const isAt = /^\s*[\w.-]+\s*(?:\[[^\]]*\])?\s*@/.test(asked)
  if (!isAt && (asked.includes('/') || /\.(?:whl|zip|tar\.\w+|tgz)$/i.test(asked))) return linked(asked)
  const named = projectOf(asked.replace(/\s*@.*$/, ''))
  if (named !== undefined) return named
  const why =
    line.includes('=') && !line.includes('==')
      ? `Invalid version specification in package ${line}. '=' is not supported, use '==' instead.`
      : `pip raised an exception while parsing '${line}': Invalid requirement: '${line}'`
  return { kind: 'refused', why }
}

function projectOf(text: string): Requirement | undefined {
  const [, name, rest = ''] = project.exec(text) ?? []
  if (name === undefined) return undefined
  const asked = rest.trim().replace(/^\((.*)\)$/, '$1')
  if (asked === '') return { kind: 'project', name, specifiers: [] }
  const found = asked.split(',').map((one) => specifier.exec(one))
  if (found.some((one) => one === null)) return undefined
  return { kind: 'project', name, specifiers: found.map((one) => [one?.[1] ?? '', one?.[2] ?? ''] as const) }
}

/** A link tells its project with `#egg=`, or as the name of a wheel. */
function linked(link: string): Requirement {
  const egg = /#(?:.*&)?egg=([^&]+)/.exec(link)?.[1]
  const [, wheel, version] = /(?:^|\/)([^/-]+)-([^/-]+)-[^/]+\.whl(?:[#?].*)?$/i.exec(link) ?? []
  if (wheel !== undefined && version !== undefined)
    return { kind: 'project', name: wheel, specifiers: [['==', version.replaceAll('_', '-')]] }
  return (egg === undefined ? undefined : projectOf(egg)) ?? { kind: 'link' }
}

/** The one spelling of a project's name (PEP 503): small letters, hyphens. */
export function normalName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase()
}
