// The completion of the programs for zsh, with the help of each option.
import { type CompletedOption, type Names, type Program, programs, type WordKind } from './programs.ts'

/** The script, to be sourced, or put into a folder of fpath as `_brine`. It asks the master as that for bash does. */
export function zshScript(names: Names): string {
  return `#compdef ${programs.map(({ name }) => name).join(' ')}
# Completion of Brine's programs for zsh: source <(brine completion zsh), or save it as _brine in a folder of $fpath

_brine_names() {
  local -a found
  found=(\${(f)"$(timeout 2 "$@" --out newline_values_only 2>/dev/null)"})
  (( $#found )) && compadd -- $found
}
_brine_minion() { _brine_names brine-key -l acc; compadd -- test migrate completion }
_brine_pending() { _brine_names brine-key -l pre }
_brine_accepted() { _brine_names brine-key -l acc }
_brine_execution() { compadd -- ${names.execution.join(' ')} }
_brine_runner() { compadd -- ${names.runner.join(' ')} }
_brine_rest() {
  if [[ $service == brine-run && $words == *reactor.* ]]; then _brine_names brine-run reactor.list; else _files; fi
}

_brine() {
  case $service in
${programs.map(zshProgram).join('\n')}
  esac
}

if [[ $funcstack[1] == _brine ]]; then _brine "$@"; else compdef _brine ${programs.map(({ name }) => name).join(' ')}; fi
`
}

function zshProgram({ name, options, words }: Program): string {
  const specs = [
    ...options.flatMap(optionSpecs),
    ...words.map((kind, index) => `'${index + 1}:${place(kind)}:${action(kind, index === 0 && name === 'brine')}'`),
    `'*::: :_brine_rest'`,
  ]
  return `    ${name})\n      _arguments -s \\\n        ${specs.join(' \\\n        ')}\n      ;;`
}

function optionSpecs({ flags, help, value }: CompletedOption): string[] {
  const text = help.replaceAll("'", '’').replace(/[[\]:\\]/g, '\\$&')
  const others = flags.length > 1 ? `(${flags.join(' ')})` : ''
  const argument = value === undefined ? '' : `:value:${action(value, false)}`
  return flags.map(
    (flag) => `'${others}${flag}${value !== undefined && flag.startsWith('--') ? '=' : ''}[${text}]${argument}'`,
  )
}

function place(kind: WordKind): string {
  return kind === 'minion' ? 'target' : kind === 'execution' || kind === 'runner' ? 'function' : 'word'
}

function action(kind: WordKind, isTarget: boolean): string {
  if (typeof kind !== 'string') return `(${kind.join(' ')})`
  switch (kind) {
    case 'minion':
      return isTarget ? '_brine_minion' : '_brine_accepted'
    case 'folder':
      return '_files -/'
    case 'file':
      return '_files'
    case 'nothing':
      return ' '
    default:
      return `_brine_${kind}`
  }
}
