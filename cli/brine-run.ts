// The command `brine-run`.
import { processIo } from './commands/io.ts'
import { runMain } from './commands/run-main.ts'

process.exitCode = await runMain(process.argv.slice(2), processIo())
