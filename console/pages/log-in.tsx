// The log-in form.
import { useEffect, useRef, useState } from 'preact/hooks'
import { logIn, messageOf, type Session } from '../api/api.ts'
import { Problem } from '../parts/states.tsx'
import { applyTheme } from '../parts/theme.tsx'
import { Brand } from '../shell.tsx'

/** Asks who it is. `ended` where a session was there and is no more. */
export function LogInPage({
  ended,
  entered,
}: {
  readonly ended: boolean
  readonly entered: (session: Session) => void
}) {
  const [eauth, setEauth] = useState('sharedsecret')
  const [error, setError] = useState<string>()
  const [waits, setWaits] = useState(false)
  const name = useRef<HTMLInputElement>(null)
  const secret = useRef<HTMLInputElement>(null)
  useEffect(() => {
    applyTheme()
    document.title = 'Log in · Brine'
    name.current?.focus()
  }, [])
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    setWaits(true)
    try {
      entered(await logIn(name.current?.value ?? '', secret.current?.value ?? '', eauth))
    } catch (failure) {
      setError(messageOf(failure))
      setWaits(false)
      secret.current?.select()
    }
  }
  return (
    <main class="log-in">
      <form onSubmit={(event) => void submit(event)}>
        <h1>
          <Brand />
        </h1>
        {ended && error === undefined ? <p role="status">Your session has ended. Log in again.</p> : null}
        <label>
          Name
          <input ref={name} name="username" autocomplete="username" required />
        </label>
        <label>
          {eauth === 'oidc'
            ? 'Token of the identity provider'
            : eauth === 'file'
              ? 'Password'
              : 'Password or shared secret'}
          <input ref={secret} name="password" type="password" autocomplete="current-password" required />
        </label>
        <label>
          Way to log in (eauth)
          <select value={eauth} onChange={(event) => setEauth(event.currentTarget.value)}>
            <option>sharedsecret</option>
            <option>file</option>
            <option>oidc</option>
          </select>
        </label>
        {error === undefined ? null : <Problem what={error} />}
        <button type="submit" class="main" disabled={waits}>
          {waits ? 'Logging in…' : 'Log in'}
        </button>
        <p class="note">
          Who may is said by <code>external_auth</code> in the master's configuration. <code>npm start</code> made a
          user <code>admin</code>, whose password is <code>sharedsecret</code> in <code>.brine/etc/master</code>.
        </p>
      </form>
    </main>
  )
}
