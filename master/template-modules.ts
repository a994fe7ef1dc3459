// The execution functions of a master that is no machine: those its templates have.
import { answerable, type MasterAnswers } from './answers.ts'
import type { RenderFacts } from './render-file.ts'
import type { MasterModules } from './runners/salt.ts'

/** Over what templates see of the master, and what they may ask it. Only functions that read are among them. */
export function templateModules(answers: MasterAnswers, facts: RenderFacts): MasterModules {
  return {
    async run(fun, args, kwargs) {
      const { SALT_FUNCTIONS, yamlTools } = await import('../core/render/index.ts')
      const pure = Object.hasOwn(SALT_FUNCTIONS, fun) ? SALT_FUNCTIONS[fun] : undefined
      if (pure !== undefined) {
        const context = { opts: facts.opts, grains: facts.grains, pillar: facts.pillar }
        return { kind: 'returned', value: pure(args, kwargs, { context, yaml: yamlTools }) }
      }
      if (!answerable.has(fun)) return { kind: 'missing' }
      return { kind: 'returned', value: await answers.answer({ fun, args: [...args], kwargs }) }
    },
  }
}
