// The command `brine-key`.
import { processIo } from './commands/io.ts'
import { keyMain } from './commands/key-main.ts'

process.exitCode = await keyMain(process.argv.slice(2), processIo())
