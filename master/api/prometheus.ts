// Figures in Prometheus' text form.

/** One figure: its name, what it is, and a value for each set of labels. */
export interface Figure {
  readonly name: string
  readonly kind: 'counter' | 'gauge'
  readonly help: string
  readonly values: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[]
}

/** The content type of the text. */
export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8'

/** The text: for each figure what it is, and a line a value. */
export function prometheusText(figures: readonly Figure[]): string {
  return figures.map(textOf).join('')
}

function textOf({ name, kind, help, values }: Figure): string {
  const lines = values.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`)
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join('')}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
