// `npm start`: the whole system on this machine, its bus printed as it happens.
import { startCommand } from './commands/start.ts'

process.exitCode = await startCommand(process.argv.slice(2))
