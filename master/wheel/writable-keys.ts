// Which keys of the master's configuration a wheel function may write: none that gives rights, and none that leads to files or code.

/** Rights, doors and secrets, by name. */
const rights = new Set([
  ...[
    'external_auth',
    'publisher_acl',
    'publisher_acl_blacklist',
    'client_acl',
    'client_acl_blacklist',
    'peer',
    'peer_run',
  ],
  ...['permissive_pki_access', 'file_ignore_glob', 'file_ignore_regex'],
  ...['auto_accept', 'autosign_timeout', 'autosign_grains', 'sharedsecret', 'netapi_enable_clients', 'rest_cherrypy'],
  ...['rest_keygen', 'rest_log', 'http_query_link_local', 'file_recv', 'token_expire', 'token_expire_user_override'],
  ...[
    'keep_acl_in_token',
    'eauth_acl_module',
    'interface',
    'user',
    'engines',
    'ext_pillar',
    'include',
    'default_include',
  ],
])

/** Why a key may not be written; undefined where it may. */
export function whyNotWritable(key: string): string | undefined {
  if (/secret|passw|token|_key$|private/i.test(key) || rights.has(key) || /acl|auth|^ssl_|^rest_/.test(key))
    return `${key} says who may do what, or how the master is reached. Write it in the master's configuration by hand.`
  if (/_(dirs?|files?|roots?|path)$|^(pidfile|log_file|conf_file|root_dir)$/.test(key))
    return `${key} says where the master reads, writes and finds code. Write it in the master's configuration by hand.`
  return undefined
}
