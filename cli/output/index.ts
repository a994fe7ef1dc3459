// Printing what comes back: outputters by Salt's names, event lines, summaries.
export { chooseOutputter, hasOutputter, OUTPUTTERS, type OutputChoice, outputter, unknownOutputter } from './choose.ts'
export { type ColourChoice, wantsColour } from './colour.ts'
export { eventLine, type PrintedEvent } from './event-line.ts'
export type { OutputOptions, Outputter, StateOutputOptions } from './outputter.ts'
export { printout } from './printout.ts'
export {
  noReturnNotice,
  notConnectedNotice,
  retcodeOf,
  returnsSummary,
  type SummarisedReturn,
} from './returns-summary.ts'
