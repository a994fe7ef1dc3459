// Targeting: which minions a target means.
export { compileTarget, type TargetOptions } from './compile.ts'
export { type ResolvedTarget, withoutNodegroups } from './nodegroup.ts'
export { type PythonRegexOptions, pythonRegex, type RegexAnchor } from './python-regex.ts'
export {
  DELIMITER,
  type Nodegroups,
  TARGET_TYPES,
  type TargetMinion,
  type TargetTest,
  type TargetType,
} from './target.ts'
export { compileTop } from './top.ts'
