// Arguments: words to values, values to parameters, and the words for what does not fit.
export { type Bound, bindArguments, type Misfit } from './bind.ts'
export { isMarked, KWARG } from './keywords.ts'
export {
  callMisuse,
  docstring,
  minionInvocationError,
  minionMisuse,
  notAvailable,
  runnerMisuse,
  strippedDoc,
} from './misuse.ts'
export {
  conditionInput,
  type ParseInputOptions,
  parseInput,
  parseKwarg,
  type SplitArguments,
  splitInput,
} from './parse-input.ts'
export type { Parameter, Signature } from './signature.ts'
export { invalidKeywords, splitKwargs } from './split-kwargs.ts'
export { yamlifyArg } from './yamlify.ts'
