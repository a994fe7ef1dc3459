// Orchestrations: those there are, and one as it runs.
import { useState } from 'preact/hooks'
import { type Api, asList, asMap, type JsonMap, messageOf, text } from '../api/api.ts'
import { useAsked, useMaster, useReloadOn } from '../api/use.ts'
import { goTo, usePath } from '../parts/route.ts'
import { Answer, Empty, Problem } from '../parts/states.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { Table } from '../parts/table.tsx'
import { agoOf, stampTime } from '../parts/time.ts'
import { argumentsOf } from '../parts/words.ts'
import { OrchestrationDetail } from './orchestration-detail.tsx'

/** The page. `#/orchestrations/JID` shows that one. */
export function OrchestrationsPage() {
  const [, jid] = usePath()
  const asked = useAsked(orchestrationsOf, [])
  useReloadOn(
    ({ tag, data }) => /^salt\/run\/\d+\/(new|ret)$/.test(tag) && text(data?.fun).startsWith('runner.state.'),
    asked.reload,
  )
  return (
    <>
      <StartForm />
      {jid === '' ? null : (
        <OrchestrationDetail key={jid} jid={jid} changed={asked.reload} close={() => goTo('orchestrations')} />
      )}
      <Answer asked={asked}>{(all) => <List all={all} current={jid} />}</Answer>
    </>
  )
}

function StartForm() {
  const { api } = useMaster()
  const [mods, setMods] = useState('')
  const [problem, setProblem] = useState<string>()
  const start = async (event: Event): Promise<void> => {
    event.preventDefault()
    setProblem(undefined)
    try {
      const { arg, kwarg } = argumentsOf(mods)
      const jid = await api.start('state.orchestrate', arg, kwarg)
      await stored(api, jid)
      goTo('orchestrations', jid)
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  return (
    <form class="panel form" aria-label="Start an orchestration" onSubmit={(event) => void start(event)}>
      <div class="bar">
        <label class="grow">
          <span>SLS and arguments</span>
          <input
            class="mono"
            required
            spellcheck={false}
            placeholder='orch.deploy pillar={"version": "1.4.2"}'
            value={mods}
            onInput={(event) => setMods(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="main">
          Start
        </button>
      </div>
      {problem === undefined ? null : <Problem what={problem} />}
    </form>
  )
}

/** Milliseconds between looks whether an orchestration is stored, and how many there are. */
const LOOK = 300
const LOOKS = 30

/** It is stored a while after it was started: once its files are compiled. One that is not by the end is shown as missing. */
async function stored(api: Api, jid: string): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK))
    const shown = await api.runner('orch.show', [jid]).catch(() => undefined)
    if (shown !== undefined) return
  }
}

function List({ all, current }: { readonly all: readonly (readonly [string, JsonMap])[]; readonly current: string }) {
  if (all.length === 0)
    return (
      <Empty>
        <p>
          No orchestration has run. An SLS file whose steps are <code>salt.state</code>, <code>salt.function</code> or{' '}
          <code>salt.runner</code> is one; start it above.
        </p>
      </Empty>
    )
  const rows = all.map(([jid, { mods, status, steps, ended, failed, user, started }]) => ({
    key: jid,
    current: jid === current,
    cells: [
      <a key="mods" href={`#/orchestrations/${jid}`} class="mono">
        {Array.isArray(mods) ? asList(mods).map(text).join(' ') : text(mods)}
      </a>,
      <StatusBadge key="status" status={text(status)} failed={Number(failed)} />,
      `${text(ended)} of ${text(steps)}`,
      agoOf(stampTime(text(started))),
      text(user),
      <span key="jid" class="mono">
        {jid}
      </span>,
    ],
  }))
  return <Table label="Orchestrations" heads={['What', 'State', 'Steps', 'Started', '-User', '-Jid']} rows={rows} />
}

async function orchestrationsOf(api: Api): Promise<readonly (readonly [string, JsonMap])[]> {
  const all = asMap(await api.runner('orch.list', [], { limit: 100 }))
  return Object.entries(all)
    .map(([jid, about]) => [jid, asMap(about)] as const)
    .sort(([a], [b]) => (a < b ? 1 : -1))
}
