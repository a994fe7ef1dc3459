// What would surprise about the globs of a reactor configuration.

import { nearest } from '../../config/nearest.ts'
import { globTokens } from '../../event/glob-tokens.ts'
import type { ReactorEntry } from '../reactor-config.ts'
import type { BlankedText } from './blank.ts'
import { globsOverlap } from './glob-overlap.ts'
import type { LintProblem } from './problem.ts'
import { argumentsOf, type Sketch, scalarText } from './sketch.ts'

/** The tags of Salt's and Brine's own events; a star stands for an id, a jid, a name. */
const OWN_TAGS = [
  'salt/auth',
  'salt/key',
  'salt/minion/*/start',
  'salt/job/*/new',
  'salt/job/*/ret/*',
  'salt/job/*/prog/*/*',
  'salt/job/*/sub/*/error/*',
  'salt/beacon/*/*/*',
  'salt/presence/present',
  'salt/presence/change',
  'salt/run/*/new',
  'salt/run/*/ret',
  'salt/run/*/args',
  'salt/wheel/*/new',
  'salt/wheel/*/ret',
  'salt/cloud/*/*',
  'salt/state_result/*/*/*',
  'salt/netapi/hook/*',
  'salt/reactors/manage/*',
] as const

/** Looks at an entry's glob alone, and at those before it. */
export function lintGlob(entry: ReactorEntry, before: readonly ReactorEntry[]): LintProblem[] {
  const { glob } = entry
  const warn = (code: string, message: string): LintProblem => ({ severity: 'warning', code, file: 'reactor', message })
  const problems: LintProblem[] = []
  if (globTokens(glob).some(({ kind }) => kind === 'never')) {
    problems.push({
      ...warn('never', `'${glob}' matches no tag: its brackets hold nothing. Turn the range around.`),
      severity: 'error',
    })
  } else if (/^salt\//.test(glob) && !OWN_TAGS.some((tag) => globsOverlap(glob, tag))) {
    const near = nearest(glob, OWN_TAGS)
    const hint =
      near === undefined ? 'Watch `brine-run state.event pretty=True` for the tag you want.' : `Did you mean '${near}'?`
    problems.push(warn('unreachable', `'${glob}' matches none of Salt's own events. ${hint}`))
  }
  if (/\{[^}]*,[^}]*\}/.test(glob)) {
    problems.push(warn('braces', `Braces are letters in '${glob}'. Write an entry for each choice.`))
  }
  if (/^\^|\.\*|\$$/.test(glob)) {
    problems.push(
      warn(
        'regex',
        `'${glob}' looks like a regular expression, and is a shell pattern. \`*\` is any text, \`?\` one letter.`,
      ),
    )
  }
  if (/\[\^/.test(glob))
    problems.push(warn('caret', `\`^\` is a letter in '${glob}'. Write \`[!…]\` for anything but.`))
  if (glob !== glob.trim() || glob.startsWith('/')) {
    problems.push(warn('margin', `'${glob}' begins or ends with a slash or a space that no tag has. Take it out.`))
  }
  for (const file of entry.files) {
    if (before.some((earlier) => earlier.glob === glob && earlier.files.includes(file))) {
      problems.push(warn('twice', `'${glob}' leads to ${file} twice; its reactions run once. Take one out.`))
    }
  }
  return problems
}

/** Whether a reaction fires what its own entry reacts to. One that an `{% if %}` guards is taken to know. */
export function lintLoop(
  entry: ReactorEntry,
  file: string,
  sketch: Sketch,
  text: BlankedText,
): LintProblem | undefined {
  if (text.isGuarded(sketch.line)) return undefined
  const fired = tagsOf(sketch, text).find((tag) => globsOverlap(entry.glob, tag))
  if (fired === undefined) return undefined
  const message =
    `'${entry.glob}' matches ${fired}, which '${sketch.id}' itself fires: a loop, until its limit ends it. ` +
    'Narrow the glob, or put an {% if %} around the reaction.'
  return { severity: 'warning', code: 'loop', file, line: sketch.line, message }
}

/** Patterns of the tags that a reaction fires. */
function tagsOf(sketch: Sketch, text: BlankedText): string[] {
  const own = ownTagsOf(sketch)
  if (!/^event\.(?:send|fire_master)$/.test(sketch.fun)) return own
  const tag = tagArgument(sketch)
  return tag === undefined ? own : [...own, text.patternOf(tag)]
}

function ownTagsOf({ type, fun }: Sketch): string[] {
  if (type === 'local' || type === 'cmd') return ['salt/job/*/new', 'salt/job/*/ret/*']
  if (type === 'runner')
    return ['salt/run/*/new', 'salt/run/*/ret', ...(fun.startsWith('state.orch') ? ['salt/run/*/args'] : [])]
  if (type === 'wheel') return ['salt/wheel/*/new', 'salt/wheel/*/ret', ...(fun.startsWith('key.') ? ['salt/key'] : [])]
  return []
}

function tagArgument({ fun, args }: Sketch): string | undefined {
  const place = fun === 'event.fire_master' ? 1 : 0
  for (const { key, node } of args) {
    if (key === 'tag') return scalarText(node)
    if (key === 'arg' && node.kind === 'sequence') return scalarText(node.items[place])
    if (key !== 'args' && key !== 'kwarg') continue
    const items = node.kind === 'sequence' ? node.items : [node]
    const named = items.flatMap((item) => argumentsOf(item, () => 0)).find((item) => item.key === 'tag')
    if (named !== undefined) return scalarText(named.node)
  }
  return undefined
}
