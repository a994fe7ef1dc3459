// What goes along with every file of the console, wherever it is served from.

/**
 * Nothing but the console's own files runs or is shown, it speaks to its own origin alone, and to the socket that rings
 * where that is elsewhere, and no other page frames it. So no inline script, no inline style and nothing from elsewhere
 * stands in it.
 */
export function consoleHeaders(socketUrl?: string): Readonly<Record<string, string>> {
  const connect = socketUrl === undefined ? "'self'" : `'self' ${new URL(socketUrl).origin}`
  return {
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src ${connect}; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}
