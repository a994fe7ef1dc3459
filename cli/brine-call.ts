// The command `brine-call`.
import { callMain } from './commands/call-main.ts'
import { processIo } from './commands/io.ts'

process.exitCode = await callMain(process.argv.slice(2), processIo())
