// The command `brine-cloud`.
import { cloudMain } from './commands/cloud-main.ts'
import { processIo } from './commands/io.ts'

process.exitCode = await cloudMain(process.argv.slice(2), processIo())
