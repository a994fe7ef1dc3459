// The functions behind the state `file.managed`: what a file would become, and making it so.
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { type Mapping, pythonStr, pythonTruth, type Value } from '../../../core/value/index.ts'
import { hashFile } from '../../filesystem/hash.ts'
import { expandUser } from '../../filesystem/paths.ts'
import { decode } from '../../filesystem/text.ts'
import type { Arguments } from '../arguments.ts'
import { type Call, define, type ExecutionFunction, examples } from '../module.ts'
import { inTest, pathOf, some } from './asked.ts'
import { changesOf, type ManagedFile, manageFile, mapOrNone } from './manage.ts'
import { chooseSource, type Fetched, fetchSource, sourceSum, sumIn } from './sources.ts'
import { renderFile, TEMPLATES } from './template.ts'

/** A text as it is after a template's engine, or a map that says why not. */
async function applied(args: Arguments, call: Call): Promise<Value> {
  const template = args.text('template')
  if (!TEMPLATES.includes(template)) {
    return { result: false, comment: `Specified template format ${template} is not supported` }
  }
  const given = {
    facts: {},
    context: args.value('context'),
    defaults: args.value('defaults'),
    env: args.text('saltenv'),
  }
  const rendered = await renderFile(args.text('contents'), given, call)
  return rendered.kind === 'text' ? rendered.text : { result: false, comment: rendered.words }
}

/** The file of the arguments that the checks share; a sentence where it cannot be got. */
async function asked(args: Arguments, call: Call): Promise<ManagedFile | string> {
  const name = await pathOf(args, 'name')
  const env = args.textIfAny('saltenv') ?? 'base'
  const chosen = await chooseSource(args.value('source'), args.value('source_hash'), env, call)
  const given = args.value('contents')
  let contents: ManagedFile['contents'] = given === null ? undefined : { kind: 'text', text: pythonStr(given) }
  if (contents === undefined && chosen !== undefined) {
    const fetched: Fetched = await fetchSource(
      {
        name,
        chosen,
        hashName: some(args.value('source_hash_name')),
        skipVerify: args.is('skip_verify'),
        template: some(args.value('template')),
        env,
        context: args.value('context'),
        defaults: args.value('defaults'),
        facts: { user: args.value('user'), group: args.value('group'), mode: args.value('mode') },
      },
      call,
    )
    if (fetched.kind === 'failed') return fetched.words
    contents = fetched
  }
  return {
    name,
    source: chosen?.source ?? '',
    contents,
    verify: false,
    user: args.value('user'),
    group: args.value('group'),
    mode: args.value('mode'),
    attrs: args.value('attrs'),
    backup: '',
    makedirs: false,
    dirMode: null,
    showChanges: true,
    follow: args.is('follow_symlinks'),
    test: true,
    isTemplate: given !== null || some(args.value('template')) !== undefined,
  }
}

async function check(args: Arguments, call: Call): Promise<Value> {
  const file = await asked(args, call)
  if (typeof file === 'string') return [false, file]
  const changes = await changesOf(file, call)
  // As in Salt, who a temporary file belongs to is nobody's business.
  if (file.name.startsWith(tmpdir())) for (const key of ['user', 'group', 'mode']) delete changes[key]
  const lines = Object.entries(changes).map(([key, value]) => `${key}: ${pythonStr(value)}\n`)
  if (lines.length === 0) return [true, `The file ${file.name} is in the correct state`]
  return [null, `The following values are set to be changed:\n${lines.join('')}`]
}

async function checkChanges(args: Arguments, call: Call): Promise<Value> {
  const file = await asked(args, call)
  return typeof file === 'string' ? [false, file] : changesOf(file, call)
}

async function manage(args: Arguments, call: Call): Promise<Value> {
  const name = await pathOf(args, 'name')
  const given = mapOrNone(args.value('ret')) ?? {}
  const path = some(args.value('sfn'))
  const source = some(args.value('source')) ?? ''
  const local = path === undefined && source !== '' ? await call.agent.files.cache(source, args.text('saltenv')) : path
  const contents = args.value('contents')
  const ret = {
    name,
    changes: mapOrNone(given.changes ?? null) ?? {},
    comment: pythonStr(given.comment ?? ''),
    result: given.result !== false,
  }
  if (source !== '' && local === undefined)
    return { ...ret, result: false, comment: `Source file '${source}' not found` }
  const sum = mapOrNone(args.value('source_sum')) ?? {}
  const type = typeof sum.hash_type === 'string' ? sum.hash_type : 'sha256'
  const file: Mapping = {
    ...(await manageFile(
      ret,
      {
        name,
        source,
        contents:
          contents !== null
            ? { kind: 'text', text: pythonStr(contents) }
            : local === undefined
              ? undefined
              : {
                  kind: 'file',
                  path: local,
                  sum: {
                    hash_type: type,
                    hsum: typeof sum.hsum === 'string' ? sum.hsum.toLowerCase() : await hashFile(local, type),
                  },
                },
        verify: source !== '' && !source.startsWith('salt://') && !args.is('skip_verify'),
        user: args.value('user'),
        group: args.value('group'),
        mode: args.value('mode'),
        attrs: args.value('attrs'),
        backup: some(args.value('backup')) ?? '',
        makedirs: args.is('makedirs'),
        dirMode: args.value('dir_mode'),
        showChanges: args.is('show_changes'),
        follow: args.is('follow_symlinks'),
        test: inTest(call),
        isTemplate: pythonTruth(args.value('template')),
      },
      call,
    )),
  }
  return file
}

const checked =
  'name, source, source_hash, source_hash_name, user, group, mode, attrs, template, context, defaults, saltenv, contents=None, skip_verify=False'
const contexts = 'seuser=None, serole=None, setype=None, serange=None'

/** The functions, by their names. */
export const managing: Readonly<Record<string, ExecutionFunction>> = {
  source_list: define(
    'source, source_hash, saltenv',
    `Of several sources return the first that is there, with its digest.${examples(`brine '*' file.source_list salt://http/httpd.conf '{hash_type: md5, hsum: <md5sum>}' base`)}`,
    async (args, call) => {
      const chosen = await chooseSource(args.value('source'), args.value('source_hash'), args.text('saltenv'), call)
      return chosen === undefined ? [args.value('source'), args.value('source_hash')] : [chosen.source, chosen.hash]
    },
    { readOnly: true },
  ),
  get_source_sum: define(
    "file_name='', source='', source_hash=None, source_hash_name=None, saltenv='base', verify_ssl=True, source_hash_sig=None, signed_by_any=None, signed_by_all=None, keyring=None, gnupghome=None",
    `Read a digest: digits, \`\`sha256=digits\`\`, or a file of digests, in which the name is looked up.${examples("brine '*' file.get_source_sum /tmp/foo.tar.gz source=http://mydomain.tld/foo.tar.gz source_hash=499ae16dcae71eeb7c3a30c75ea7a1a6")}`,
    async (args, call) => {
      const names = {
        name: args.text('file_name'),
        source: args.text('source'),
        hashName: some(args.value('source_hash_name')),
      }
      return { ...(await sourceSum(names, args.text('source_hash'), args.text('saltenv'), call)) }
    },
    { readOnly: true },
  ),
  extract_hash: define(
    "hash_fn, hash_type='sha256', file_name='', source='', source_hash_name=None",
    `Look a file's digest up in a file of digests.${examples("brine '*' file.extract_hash /path/to/hash/file sha512 /etc/foo")}`,
    async (args) => {
      const names = {
        name: args.text('file_name'),
        source: args.text('source'),
        hashName: some(args.value('source_hash_name')),
      }
      const text = decode(await readFile(await expandUser(args.text('hash_fn'))))
      const found = sumIn(text, names, args.textIfAny('hash_type'))
      return found === undefined ? null : { ...found }
    },
    { readOnly: true },
  ),
  apply_template_on_contents: define(
    'contents, template, context, defaults, saltenv',
    `Render a text: \`\`jinja\`\`.${examples(`brine '*' file.apply_template_on_contents contents='This is a {{ template }} string.' template=jinja "context={}" "defaults={'template': 'cool'}" saltenv=base`)}`,
    applied,
    { readOnly: true },
  ),
  check_managed: define(
    `${checked}, ${contexts}, follow_symlinks=False, **kwargs`,
    `Tell whether a file is as the state \`\`file.managed\`\` would make it.${examples(`brine '*' file.check_managed /etc/httpd/conf.d/httpd.conf salt://http/httpd.conf '' '' root root '755' '' jinja None None base`)}`,
    check,
    { readOnly: true },
  ),
  check_managed_changes: define(
    `${checked}, keep_mode=False, ${contexts}, verify_ssl=True, follow_symlinks=False, **kwargs`,
    `Return what the state \`\`file.managed\`\` would change.${examples(`brine '*' file.check_managed_changes /etc/httpd/conf.d/httpd.conf salt://http/httpd.conf '' '' root root '755' '' jinja None None base`)}`,
    checkChanges,
    { readOnly: true },
  ),
  manage_file: define(
    `name, sfn, ret, source, source_sum, user, group, mode, attrs, saltenv, backup, makedirs=False, template=None, show_changes=True, contents=None, dir_mode=None, follow_symlinks=True, skip_verify=False, keep_mode=False, encoding=None, encoding_errors='strict', ${contexts}, verify_ssl=True, use_etag=False, signature=None, source_hash_sig=None, signed_by_any=None, signed_by_all=None, keyring=None, gnupghome=None, **kwargs`,
    `Do what the state \`\`file.managed\`\` does once it has the contents: as a file of the minion (\`\`sfn\`\`) or as text.${examples(`brine '*' file.manage_file /etc/httpd/conf.d/httpd.conf '' '{}' salt://http/httpd.conf '{hash_type: md5, hsum: <md5sum>}' root root '755' '' base ''`)}`,
    manage,
  ),
}
