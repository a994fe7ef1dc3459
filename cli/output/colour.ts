// ANSI colours by Salt's names, and when to use them.

const CODES = {
  RED: '31',
  LIGHT_RED: '1;31',
  GREEN: '32',
  LIGHT_GREEN: '1;32',
  YELLOW: '33',
  LIGHT_YELLOW: '1;33',
  BLUE: '34',
  LIGHT_BLUE: '1;34',
  MAGENTA: '35',
  LIGHT_MAGENTA: '1;35',
  CYAN: '36',
  WHITE: '1;37',
  LIGHT_GRAY: '37',
  DARK_GRAY: '1;30',
  ENDC: '0',
} as const

/** Salt's name of a colour; `ENDC` ends the last one. */
export type Colour = keyof typeof CODES

/** The escape sequence of each colour, empty texts where colours are off. */
export type Colours = Readonly<Record<Colour, string>>

const NAMES = Object.keys(CODES) as Colour[]
const ON = table((name) => `\u001b[0;${CODES[name]}m`)
const OFF = table(() => '')

function table(sequence: (name: Colour) => string): Colours {
  return Object.fromEntries(NAMES.map((name) => [name, sequence(name)])) as Record<Colour, string>
}

/** The colours to print with. */
export function colours(on: boolean | undefined): Colours {
  return on === true ? ON : OFF
}

/** Where colour may be asked for: `--force-color`, `--no-color`, the `color` setting, and whether stdout is a terminal. */
export interface ColourChoice {
  readonly forceColor?: boolean
  readonly noColor?: boolean
  readonly setting?: boolean
  readonly isTty: boolean
}

/** `--force-color` wins, then `--no-color`, then the setting, else colour on a terminal only. */
export function wantsColour(choice: ColourChoice): boolean {
  if (choice.forceColor === true) return true
  if (choice.noColor === true) return false
  return choice.setting ?? choice.isTty
}

/** ESC shown as `?`, so that returned data cannot drive the terminal. */
export function stripEscapes(text: string): string {
  return text.replaceAll('\u001b', '?')
}
