// What the command line and the configuration say about printing, as the outputters take it.

import { wantsColour } from '../output/colour.ts'
import type { OutputOptions, StateOutputOptions } from '../output/outputter.ts'
import type { ParsedOptions } from './parsed-options.ts'

/** The settings of a master's or minion's configuration that concern printing, by Salt's names. */
export type OutputSettings = Readonly<Record<string, unknown>>

/**
 * Joins options and configuration: what stands on the command line wins. `kwarg` are the job's keywords, of which
 * `exclude` and `terse` steer `--state-output=filter`.
 */
export function outputOptions(
  options: ParsedOptions,
  settings: OutputSettings,
  isTty: boolean,
  kwarg: OutputSettings = {},
): OutputOptions {
  const indent = options.number('output_indent') ?? settings.output_indent
  const colour = settings.color
  return {
    color: wantsColour({
      forceColor: options.flag('force_color') || settings.force_color === true,
      noColor: options.flag('no_color') || settings.no_color === true,
      ...(typeof colour === 'boolean' ? { setting: colour } : {}),
      isTty,
    }),
    ...(typeof indent === 'number' || indent === 'pretty' ? { outputIndent: indent } : {}),
    ...(settings.strip_colors === false ? { stripColors: false } : {}),
    state: stateOptions(options, settings, kwarg),
  }
}

function stateOptions(options: ParsedOptions, settings: OutputSettings, kwarg: OutputSettings): StateOutputOptions {
  const mode = options.text('state_output') ?? settings.state_output
  const verbose = truth(options.text('state_verbose')) ?? settings.state_verbose
  const tabular = settings.state_tabular
  return {
    ...(typeof mode === 'string' ? { output: mode } : {}),
    verbose: verbose !== false,
    diff: options.flag('state_output_diff') || settings.state_output_diff === true,
    ...(typeof tabular === 'string' || typeof tabular === 'boolean' ? { tabular } : {}),
    profile: settings.state_output_profile !== false,
    pct: settings.state_output_pct === true,
    compressIds: settings.state_compress_ids === true,
    exclude: names(kwarg.exclude ?? settings.state_output_exclude),
    terse: names(kwarg.terse ?? settings.state_output_terse),
  }
}

/** `True` and `False` as Salt reads them; any other text is true, as in Python. */
function truth(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : !(text === 'False' || text === 'false')
}

/** A list of results, or its text separated by commas; a bare `True` without a comma was read as a boolean and is none. */
function names(setting: unknown): readonly string[] {
  if (typeof setting === 'string') return setting.split(',')
  return Array.isArray(setting) ? setting.map(String) : []
}
