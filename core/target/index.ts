// Targeting: which minions a target means.
export { compileTarget } from './compile.ts'
export { withoutNodegroups } from './nodegroup.ts'
export { pythonRegex } from './python-regex.ts'
export {
  DELIMITER,
  type Nodegroups,
  TARGET_TYPES,
  type TargetMinion,
  type TargetTest,
} from './target.ts'
export { compileTop } from './top.ts'
