// The command `brine`.

import { brineMain } from './commands/brine-main.ts'
import { processIo } from './commands/io.ts'

process.exitCode = await brineMain(process.argv.slice(2), processIo())
