// The `doc` runner: the documentation of runner, wheel and execution functions.
import { strippedDoc } from '../../core/arguments/index.ts'
import { tagGlob } from '../../core/event/tag-glob.ts'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Execute } from '../execute.ts'
import type { Presence } from '../presence.ts'
import type { FunctionTable, MasterFunction } from '../run.ts'
import type { RunTables } from '../run-events.ts'

interface DocNeeds {
  /** Asked when a doc is, so that the user's functions are among them. */
  readonly tables: RunTables
  readonly execute: Execute
  readonly presence: Presence
  readonly timeout: number
}

/** Functions of the `doc` runner. A name narrows the answer: a function, a module, or a shell pattern. */
export function docRunner(needs: DocNeeds): Record<string, MasterFunction> {
  const told = (what: string, name: string, run: (name: string) => Promise<Value>): MasterFunction => ({
    signature: { params: [{ name: 'name', default: '' }] },
    doc: `    ${what}\n\n    CLI Example:\n\n    .. code-block:: bash\n\n        brine-run doc.${name}\n        brine-run doc.${name} ${examples[name]}\n`,
    readOnly: true,
    idempotent: true,
    run: ({ named }) => run(pythonStr(named.name ?? '')),
  })
  return {
    'doc.runner': told('Return all inline documentation for runner modules', 'runner', async (name) =>
      docsOf(needs.tables.runner(), name),
    ),
    'doc.wheel': told('Return all inline documentation for wheel modules', 'wheel', async (name) =>
      docsOf(needs.tables.wheel(), name),
    ),
    'doc.execution': told(
      'Collect all the sys.doc output from each minion and return the aggregate',
      'execution',
      async (name) => {
        const present = new Set(await needs.presence.present())
        const { returns } = await needs.execute({
          tgt: [...present],
          tgtType: 'list',
          fun: 'sys.doc',
          arg: name === '' ? [] : [name],
          timeout: needs.timeout,
          waitFor: (id) => present.has(id),
        })
        const docs: Mapping = {}
        for (const { return: value } of returns.values())
          if (value !== undefined && isMapping(value)) Object.assign(docs, value)
        return sorted(docs)
      },
    ),
  }
}

const examples: Readonly<Record<string, string>> = { runner: 'jobs', wheel: 'key.accept', execution: "'test.*'" }

/** The docs of the functions a name means: all, one function, those of a module, or those a pattern with `*` takes. */
export function docsOf(table: FunctionTable, name: string): Mapping {
  const prefix = name.endsWith('.') ? name : `${name}.`
  const isWanted = name.includes('*') ? tagGlob(name) : (fun: string) => fun === name || fun.startsWith(prefix)
  const docs: Mapping = {}
  for (const [fun, { doc }] of table) if (name === '' || isWanted(fun)) docs[fun] = strippedDoc(doc)
  return sorted(docs)
}

function sorted(docs: Mapping): Mapping {
  return Object.fromEntries(Object.entries(docs).sort(([a], [b]) => (a < b ? -1 : 1)))
}
