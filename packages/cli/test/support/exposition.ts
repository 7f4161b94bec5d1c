/** A metric in the text format of Prometheus. */
export interface Metric {
  type: string
  help: string
  /** Values by labels, such as `{form="a"}`; by the empty text without labels. */
  values: Record<string, number>
}

/** Parses the text format 0.0.4, as prom-client writes it: the help and the type of a metric, and its samples. @throws for another line */
export function parseExposition(text: string): Record<string, Metric> {
  const metrics: Record<string, Metric> = {}
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, name = '', labels = '', value] = /^(\w+)(\{.*\})? ([-\d.e+]+)$/.exec(line) ?? []
    const [, about, described = '', what = ''] = /^# (HELP|TYPE) (\w+) (.+)$/.exec(line) ?? []
    if (about === 'HELP') metrics[described] = { type: '', help: what, values: {} }
    else if (about === 'TYPE') (metrics[described] as Metric).type = what
    else if (value !== undefined) (metrics[name] as Metric).values[labels] = Number(value)
    else throw new Error(`Not a line of the format: ${line}`)
  }
  return metrics
}
