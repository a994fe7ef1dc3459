// The command `brine-minion`.
import { minionMain } from './commands/minion.ts'

process.exitCode = await minionMain(process.argv.slice(2))
