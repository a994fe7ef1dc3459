// The completion of the programs for bash, as a script to be sourced.
import { type Names, type Program, programs, type WordKind } from './programs.ts'

/** The script. It asks the master for the names of minions and of reactor files when they are typed, for two seconds at most. */
export function bashScript(names: Names): string {
  return `# Completion of Brine's programs for bash: source <(brine completion bash)

_brine_execution='${names.execution.join(' ')}'
_brine_runner='${names.runner.join(' ')}'

# Minions by the state of their keys, as brine-key -l names it; nothing where no master answers.
_brine_minions() {
  timeout 2 brine-key -l "$1" --out newline_values_only 2>/dev/null
}

_brine_reactors() {
  timeout 2 brine-run reactor.list --out newline_values_only 2>/dev/null
}

# What may stand for one word: a list, or what has to be asked.
_brine_word() {
  case "$1" in
    execution) COMPREPLY=($(compgen -W "$_brine_execution" -- "$cur")) ;;
    runner) COMPREPLY=($(compgen -W "$_brine_runner" -- "$cur")) ;;
    minion) COMPREPLY=($(compgen -W "$(_brine_minions acc)" -- "$cur")) ;;
    pending) COMPREPLY=($(compgen -W "$(_brine_minions pre)" -- "$cur")) ;;
    reactor) COMPREPLY=($(compgen -W "$(_brine_reactors)" -- "$cur")) ;;
    folder) COMPREPLY=($(compgen -d -- "$cur")) ;;
    file) COMPREPLY=($(compgen -f -- "$cur")) ;;
    nothing) COMPREPLY=() ;;
    *) COMPREPLY=($(compgen -W "$1" -- "$cur")) ;;
  esac
}

# $1: the options; $2: those that take a value. Sets count to how many words before the one typed are no options, and
# word to the first of them.
_brine_count() {
  local at=1 one
  count=0 word=
  while ((at < COMP_CWORD)); do
    one=\${COMP_WORDS[at]}
    if [[ $one == -* ]]; then
      if [[ " $1 " == *" $one "* ]]; then
        [[ \${COMP_WORDS[at + 1]} == = ]] && ((at++))
        ((at++))
      fi
    else
      ((count == 0)) && word=$one
      ((count++))
    fi
    ((at++))
  done
}

${programs.map(bashProgram).join('\n')}`
}

function bashProgram({ name, options, words }: Program): string {
  const taking = options.filter(({ value }) => value !== undefined)
  const fun = `_${name.replaceAll('-', '_')}_complete`
  const cases = taking.map(
    ({ flags, value }) => `    ${flags.join('|')}) _brine_word '${wordOf(value ?? 'nothing')}'; return ;;`,
  )
  const places = words.map((kind, index) => `    ${index}) _brine_word '${wordOf(kind)}' ;;`)
  const first =
    name === 'brine' ? `\n  ((count == 0)) && COMPREPLY+=($(compgen -W 'test migrate completion' -- "$cur"))` : ''
  const reactors = name === 'brine-run' ? `\n  [[ $word == reactor.* ]] && _brine_word reactor` : ''
  const own =
    name === 'brine'
      ? `
  if [[ $word == completion ]]; then
    _brine_word 'bash zsh'
    return
  elif [[ $word == migrate ]]; then
    if ((count == 1)); then _brine_word 'check keys'; else _brine_word folder; fi
    return
  elif [[ $word == test ]]; then
    _brine_word file
    return
  fi`
      : ''
  return `${fun}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} count word
  COMPREPLY=()
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case "$prev" in
${cases.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W '${options.flatMap(({ flags }) => flags).join(' ')}' -- "$cur"))
    return
  fi
  _brine_count '${taking.flatMap(({ flags }) => flags).join(' ')}'${own}
  case "$count" in
${places.length === 0 ? '    *) ;;' : places.join('\n')}
  esac${first}${reactors}
}
complete -F ${fun} ${name}
`
}

function wordOf(kind: WordKind): string {
  return typeof kind === 'string' ? kind : kind.join(' ')
}
