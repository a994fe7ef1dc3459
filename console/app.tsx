// The page: log-in first, then the shell with its pages, one at a time, by the address's part behind `#`.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { openApi, type Session } from './api/api.ts'
import { Bus } from './api/bus.ts'
import { keepSession, keptSession } from './api/session.ts'
import { MasterContext } from './api/use.ts'
import { EventsPage } from './pages/events.tsx'
import { JobsPage } from './pages/jobs.tsx'
import { KeysPage } from './pages/keys.tsx'
import { LogInPage } from './pages/log-in.tsx'
import { MinionsPage } from './pages/minions.tsx'
import { OrchestrationsPage } from './pages/orchestrations.tsx'
import { ReactorsPage } from './pages/reactors.tsx'
import { usePath } from './parts/route.ts'
import { Shell } from './shell.tsx'

const pages = [
  { path: 'events', title: 'Events', Page: EventsPage },
  { path: 'minions', title: 'Minions', Page: MinionsPage },
  { path: 'keys', title: 'Keys', Page: KeysPage },
  { path: 'jobs', title: 'Jobs', Page: JobsPage },
  { path: 'reactors', title: 'Reactors', Page: ReactorsPage },
  { path: 'orchestrations', title: 'Orchestrations', Page: OrchestrationsPage },
] as const

/** Everything there is to see. */
export function App() {
  const [session, setSession] = useState<Session | undefined>(keptSession)
  const [ended, setEnded] = useState(false)
  const become = (next: Session | undefined): void => {
    keepSession(next)
    setSession(next)
  }
  if (session === undefined)
    return (
      <LogInPage
        ended={ended}
        entered={(next) => {
          setEnded(false)
          become(next)
        }}
      />
    )
  return (
    <LoggedIn
      session={session}
      left={(isEnded) => {
        setEnded(isEnded)
        become(undefined)
      }}
    />
  )
}

function LoggedIn({ session, left }: { readonly session: Session; readonly left: (ended: boolean) => void }) {
  const master = useMemo(() => {
    const api = openApi(session, () => left(true))
    return { api, bus: new Bus(api) }
  }, [session.token])
  useEffect(() => () => master.bus.close(), [master])
  const [wanted] = usePath()
  const { Page, title, path } = pages.find((page) => page.path === wanted) ?? pages[0]
  useEffect(() => {
    document.title = `${title} · Brine`
  }, [title])
  const leave = (): void => {
    void master.api.logOut().catch(() => undefined)
    left(false)
  }
  return (
    <MasterContext.Provider value={master}>
      <Shell pages={pages} path={path} title={title} user={session.user} leave={leave}>
        <Page />
      </Shell>
    </MasterContext.Provider>
  )
}
