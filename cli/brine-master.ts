// The command `brine-master`.
import { masterMain } from './commands/master.ts'

process.exitCode = await masterMain(process.argv.slice(2))
