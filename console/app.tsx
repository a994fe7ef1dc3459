// The page: log-in first, then the shell with its pages, one at a time, by the address's part behind `#`.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { openApi, type Session } from './api/api.ts'
import { Bus } from './api/bus.ts'
import { keepSession, keptSession } from './api/session.ts'
import { MasterContext } from './api/use.ts'
import { EventsPage } from './pages/events.tsx'
import { LogInPage } from './pages/log-in.tsx'
import { Shell } from './shell.tsx'

const pages = [{ path: 'events', title: 'Events', Page: EventsPage }] as const

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
  const path = usePath()
  const { Page, title } = pages.find((page) => page.path === path) ?? pages[0]
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

/** The address's part behind `#/`, up to the next slash. */
function usePath(): string {
  const read = (): string => location.hash.replace(/^#\/?/, '').split('/')[0] || 'events'
  const [path, setPath] = useState(read)
  useEffect(() => {
    const changed = (): void => setPath(read())
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return path
}
