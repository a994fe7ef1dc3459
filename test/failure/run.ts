// `npm run test:failure [-- --rounds N] [FILE …]`: N in place of 100 master kills, and of all else in proportion.
import { spawn } from 'node:child_process'

const words = process.argv.slice(2)
const at = words.indexOf('--rounds')
const rounds = at < 0 ? undefined : words.splice(at, 2)[1]
if (rounds !== undefined && !/^[1-9]\d*$/.test(rounds)) {
  process.stderr.write(`--rounds takes a number of master kills, not ${rounds}.\n`)
  process.exit(2)
}
const child = spawn('npx', ['vitest', 'run', '--config', 'vitest.failure.config.ts', ...words], {
  stdio: 'inherit',
  env: { ...process.env, ...(rounds === undefined ? {} : { BRINE_ROUNDS: rounds }) },
})
child.once('exit', (code) => process.exit(code ?? 1))
