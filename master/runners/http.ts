// The `http` runner: asking web servers from where the master is.
import { BrineError } from '../../core/error.ts'
import { httpQuery } from '../../core/http-query/index.ts'
import { saltVersion } from '../../core/salt-version.ts'
import { type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { askOutside, type HttpRules } from '../http-door.ts'
import type { FileStore } from '../ports.ts'
import { type MasterFunction, MisuseError, RunError } from '../run.ts'
import { docOf } from './runner-doc.ts'

/** Seconds for an answer where nobody says: a runner on AWS has 900. */
const usual = 300

/** Functions of the `http` runner. `loopback`: this machine may be asked too. */
export function httpRunner(
  opts: Mapping,
  files: Pick<FileStore, 'read'>,
  loopback: boolean,
): Record<string, MasterFunction> {
  const secondsOf = ({ timeout = opts.http_request_timeout ?? usual }: Mapping): number => {
    const seconds = Number(pythonStr(timeout))
    if (seconds > 0) return seconds
    throw new MisuseError(`timeout=${pythonStr(timeout)} is no number of seconds.`)
  }
  return {
    'http.query': {
      signature: { params: [{ name: 'url' }, { name: 'output', default: true }], varKwargs: true },
      doc: docOf(
        `Ask a web server. Returns its answer as body; a status of 400 or more, or no answer, as error.

    method, params, data, data_file (a salt:// file), header_dict, header_list, username, password and agent say how to
    ask, timeout for how many seconds; status=True, headers=True and text=True tell these too, decode=True reads the
    answer as JSON or YAML into dict (decode_type says which), and with raise_error=False an answer of 400 or more is an
    answer. What changes something is better asked by a reaction: it is not repeated.

    Addresses from which the master's machine gets its credentials (link-local ones, metadata services) are refused,
    whatever name or redirect leads there, unless http_query_link_local is set.`,
        [
          'http.query https://example.com/',
          'http.query https://example.com/hook method=POST data=\'{"text": "done"}\' status=True timeout=10',
        ],
      ),
      async run({ named, rest }) {
        const { timeout: _, text_out: out = null, opts: others = null, ...asked } = rest
        if (out !== null)
          throw new MisuseError('http.query writes no files on the master: leave text_out out and use body.')
        if (others !== null) throw new MisuseError('http.query takes no opts: the master’s configuration holds.')
        const rules: HttpRules = {
          seconds: secondsOf(rest),
          linkLocal: pythonTruth(opts.http_query_link_local ?? false),
          loopback,
        }
        const options: Record<string, Value> = { ...asked, url: named.url ?? null }
        try {
          return await httpQuery(options, {
            agent: `Salt/${saltVersion} http.query()`,
            ask: (request) => askOutside(request, rules),
            fileText: (path) => fileText(files, path),
            readYaml: async (text) => (await import('../../core/render/yaml/index.ts')).loadYaml(text),
          })
        } catch (error) {
          if (error instanceof BrineError && error.code === 'http-query') throw new MisuseError(error.message)
          throw error
        }
      },
    },
    'http.update_ca_bundle': {
      signature: { params: [], varArgs: true, varKwargs: true },
      doc: docOf(
        'Refused: certificates are trusted as the machine trusts them. Set NODE_EXTRA_CA_CERTS for more, and update the machine’s package of certificates.',
        ['http.update_ca_bundle'],
      ),
      async run() {
        throw new RunError(
          'http.update_ca_bundle would replace what the master trusts. Set NODE_EXTRA_CA_CERTS for more certificates.',
        )
      },
    },
  }
}

async function fileText(files: Pick<FileStore, 'read'>, path: string): Promise<string> {
  const [name = '', query = ''] = path.replace(/^salt:\/\//, '').split('?')
  if (!path.startsWith('salt://')) throw new MisuseError(`data_file=${path} is no salt:// file.`)
  const bytes = await files.read(new URLSearchParams(query).get('saltenv') ?? 'base', name)
  if (bytes === undefined) throw new RunError(`There is no ${path}.`)
  return new TextDecoder().decode(bytes)
}
