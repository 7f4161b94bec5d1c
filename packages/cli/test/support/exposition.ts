/** A metric in the text format of Prometheus. */
export interface Metric {
  type: string
  help: string
  /** Values by labels, such as `{form="a"}`; by the empty text without labels. */
  values: Record<string, number>
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"`
const SAMPLE = new RegExp(String.raw`^(${NAME})((?:\{${LABEL}(?:,${LABEL})*\})?) (-?[0-9.e+-]+|NaN|[+-]Inf)$`)

/** Parses the text format 0.0.4 by its rules. @throws Error for a line that breaks one */
export function parseExposition(text: string): Record<string, Metric> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.')
  const metrics: Record<string, Metric> = {}
  let current = ''
  for (const line of text.split('\n')) {
    if (line === '') continue
    const help = new RegExp(`^# HELP (${NAME}) (.+)$`).exec(line)
    const type = new RegExp(`^# TYPE (${NAME}) (counter|gauge)$`).exec(line)
    const sample = SAMPLE.exec(line)
    if (help) {
      const [, name, description] = help as unknown as [string, string, string]
      if (metrics[name]) throw new Error(`${name} is described twice.`)
      current = name
      metrics[name] = { type: '', help: description, values: {} }
    } else if (type) {
      if (type[1] !== current) throw new Error(`A type of another metric: ${line}`)
      ;(metrics[current] as Metric).type = type[2] as string
    } else if (sample) {
      const [, name, labels, value] = sample as unknown as [string, string, string, string]
      const { values, type: known } = metrics[current] as Metric
      if (name !== current || known === '') throw new Error(`A sample of another metric: ${line}`)
      if (labels in values) throw new Error(`A sample that is there twice: ${line}`)
      values[labels] = Number(value)
    } else throw new Error(`Not a line of the format: ${line}`)
  }
  return metrics
}
