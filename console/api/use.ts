// How components ask the master: the session's API and bus by context, and answers with their waiting and failing.
import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import { type Api, messageOf } from './api.ts'
import type { Bus, SeenEvent } from './bus.ts'

/** The session's API and bus. */
export interface Master {
  readonly api: Api
  readonly bus: Bus
}

/** Where components find it. */
export const MasterContext = createContext<Master | undefined>(undefined)

/** The session's API and bus; only below a log-in. */
export function useMaster(): Master {
  const master = useContext(MasterContext)
  if (master === undefined) throw new Error('this is drawn without a session')
  return master
}

/** The bus, drawn again after each change unless it is paused. */
export function useBus(paused = false): Bus {
  const { bus } = useMaster()
  const [, draw] = useState(0)
  useEffect(() => (paused ? undefined : bus.subscribe(() => draw((n) => n + 1))), [bus, paused])
  return bus
}

/** Milliseconds between an event and what it has asked anew: a busy bus asks no more often than that. */
const PAUSE = 600

/**
 * Asks anew a moment after each event that is `wanted`; many of them together once. `settling` milliseconds later it asks
 * once more: for what is told before it is stored.
 */
export function useReloadOn(wanted: (event: SeenEvent) => boolean, reload: () => void, settling?: number): void {
  const { bus } = useMaster()
  const latest = useRef(wanted)
  latest.current = wanted
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let last: ReturnType<typeof setTimeout> | undefined
    const leave = bus.tap((event) => {
      if (timer !== undefined || !latest.current(event)) return
      timer = setTimeout(() => {
        timer = undefined
        reload()
        clearTimeout(last)
        if (settling !== undefined) last = setTimeout(reload, settling)
      }, PAUSE)
    })
    return () => {
      clearTimeout(timer)
      clearTimeout(last)
      leave()
    }
  }, [bus, reload, settling])
}

/** An answer that is waited for. The last one stays while a new one is asked for. */
export interface Asked<T> {
  readonly value: T | undefined
  readonly error: string | undefined
  readonly loading: boolean
  reload(): void
}

/** Asks when `keys` change, and on `reload`. Answers that are overtaken are forgotten. */
export function useAsked<T>(ask: (api: Api) => Promise<T>, keys: readonly unknown[]): Asked<T> {
  const { api } = useMaster()
  const [state, setState] = useState<{ value?: T; error?: string; loading: boolean }>({ loading: true })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let isCurrent = true
    setState(({ value }) => ({ ...(value === undefined ? {} : { value }), loading: true }))
    ask(api).then(
      (value) => isCurrent && setState({ value, loading: false }),
      (error: unknown) => isCurrent && setState({ error: messageOf(error), loading: false }),
    )
    return () => {
      isCurrent = false
    }
  }, [api, turn, ...keys])
  const reload = useCallback(() => setTurn((n) => n + 1), [])
  return { value: state.value, error: state.error, loading: state.loading, reload }
}
