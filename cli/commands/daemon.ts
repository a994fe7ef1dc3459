// What `brine-master` and `brine-minion` have in common: they run until told to end, and end cleanly.
import { execFile } from 'node:child_process'

/** Resolves with the signal's name at the first SIGTERM or SIGINT; a second one ends the process at once. */
export function untilToldToEnd(): Promise<string> {
  return new Promise((resolve) => {
    let told = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (told) process.exit(130)
        told = true
        resolve(signal)
      })
    }
  })
}

/**
 * Tells systemd (`Type=notify`) of a state such as `READY=1`; nothing where systemd does not listen. Node has no datagram
 * Unix sockets, so systemd's own command speaks for us (the unit needs `NotifyAccess=all`).
 */
export function notifySystemd(state: string, warn: (message: string) => void): void {
  if ((process.env.NOTIFY_SOCKET ?? '') === '') return
  execFile('systemd-notify', [state], (error) => {
    if (error !== null) warn(`systemd was not told ${state}: ${error.message}`)
  })
}
