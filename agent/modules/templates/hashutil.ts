// Salt's `hashutil` module: digests, base64 and signatures.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isRegularFile } from '../../filesystem/paths.ts'
import { writeWhole } from '../../filesystem/write.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError } from '../errors.ts'
import { define, type ExecutionFunction, type ExecutionModule, examples } from '../module.ts'

const asking = { readOnly: true }

const digestOf = (bytes: string | Uint8Array, algorithm: string): string => {
  if (!['md5', 'sha256', 'sha512'].includes(algorithm))
    throw new CommandExecutionError(`Hash func '${algorithm}' is not supported.`)
  return createHash(algorithm).update(bytes).digest('hex')
}

const digesting = (name: string): ExecutionFunction =>
  define(
    'instr',
    `Return the ${name} digest of a text.${examples(`brine '*' hashutil.${name}_digest 'get salted'`)}`,
    (args) => digestOf(args.text('instr'), name),
    asking,
  )

/** Base64 in lines of 76 characters, each with its end. */
const inLines = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('base64')
    .replace(/.{1,76}/g, '$&\n')

const decoded = (args: Arguments): Buffer => Buffer.from(args.text('instr'), 'base64')

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

function githubSignature(args: Arguments): boolean {
  const [algorithm = '', challenge = ''] = args.text('challenge_hmac').split('=')
  const made = createHmac(algorithm, args.text('shared_secret')).update(args.text('string')).digest('hex')
  return isSame(Buffer.from(made), Buffer.from(challenge))
}

const challengeWords = 'string, shared_secret, challenge_hmac'

/** Salt's `hashutil` module. */
export const hashutil: ExecutionModule = {
  name: 'hashutil',
  file: 'hashutil',
  functions: {
    digest: define(
      "instr, checksum='md5'",
      `Return the digest of a text: md5, sha256 or sha512.${examples("brine '*' hashutil.digest 'get salted'")}`,
      (args) => digestOf(args.text('instr'), args.text('checksum')),
      asking,
    ),
    digest_file: define(
      "infile, checksum='md5'",
      `Return the digest of a file: md5, sha256 or sha512.${examples("brine '*' hashutil.digest_file /path/to/file")}`,
      async (args) => {
        const path = args.text('infile')
        if (!(await isRegularFile(path))) throw new CommandExecutionError(`File path '${path}' not found.`)
        return digestOf(await readFile(path), args.text('checksum'))
      },
      asking,
    ),
    md5_digest: digesting('md5'),
    sha256_digest: digesting('sha256'),
    sha512_digest: digesting('sha512'),
    base64_b64encode: define(
      'instr',
      `Return a text in base64, in one line.${examples("brine '*' hashutil.base64_b64encode 'get salted'")}`,
      (args) => Buffer.from(args.text('instr')).toString('base64'),
      asking,
    ),
    base64_b64decode: define(
      'instr',
      `Return the text of base64.${examples("brine '*' hashutil.base64_b64decode 'Z2V0IHNhbHRlZA=='")}`,
      (args) => decoded(args).toString(),
      asking,
    ),
    base64_encodestring: define(
      'instr',
      `Return a text in base64, in lines of 76 characters.${examples("brine '*' hashutil.base64_encodestring 'get salted'")}`,
      (args) => inLines(Buffer.from(args.text('instr'))),
      asking,
    ),
    base64_decodestring: define(
      'instr',
      `Return the text of base64 in lines.${examples("brine '*' hashutil.base64_decodestring instr='Z2V0IHNhbHRlZAo='")}`,
      (args) => decoded(args).toString(),
      asking,
    ),
    base64_encodefile: define(
      'fname',
      `Return a file in base64, in lines of 76 characters.${examples("brine '*' hashutil.base64_encodefile /path/to/binary_file")}`,
      async (args) => inLines(await readFile(args.text('fname'))),
      asking,
    ),
    base64_decodefile: define(
      'instr, outfile',
      `Write what a text in base64 holds to a file.${examples("brine '*' hashutil.base64_decodefile instr='Z2V0IHNhbHRlZAo=' outfile='/path/to/binary_file'")}`,
      async (args) => {
        await writeWhole(args.text('outfile'), decoded(args))
        return true
      },
    ),
    hmac_signature: define(
      challengeWords,
      `Return whether a signature in base64 is the HMAC of a text by SHA-256.${examples("brine '*' hashutil.hmac_signature 'get salted' 'shared secret' 'eBWf9bstXg+NiP5AOwppB5HMvZiYMPzEM9W5YMm/AmQ='")}`,
      (args) => {
        const made = createHmac('sha256', args.text('shared_secret')).update(args.text('string')).digest('base64')
        return isSame(Buffer.from(made), Buffer.from(args.text('challenge_hmac')))
      },
      asking,
    ),
    hmac_compute: define(
      'string, shared_secret',
      `Return the HMAC of a text by SHA-256.${examples("brine '*' hashutil.hmac_compute 'get salted' 'shared secret'")}`,
      (args) => createHmac('sha256', args.text('shared_secret')).update(args.text('string')).digest('hex'),
      asking,
    ),
    github_signature: define(
      challengeWords,
      `Return whether a signature of GitHub's, \`\`sha1=…\`\`, is that of a text.${examples("brine '*' hashutil.github_signature '{\"ref\":....} ' 'shared secret' 'sha1=bc6550fc290acf5b42283fa8deaf55cea0f8c206'")}`,
      githubSignature,
      asking,
    ),
  },
}
