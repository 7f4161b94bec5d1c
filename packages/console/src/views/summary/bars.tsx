import { percentText } from '../../format.ts'
import { Line } from '../../ui/values.tsx'

interface Bar {
  readonly label: string
  readonly count: number
  readonly tone?: string
}

/** Height of the highest column, in rem. */
const COLUMN_REM = 5
/** More columns, or longer labels, do not fit side by side. */
const MAX_COLUMNS = 12
const MAX_LABEL = 3

/** How many answers each number has: as columns if there are few numbers, otherwise as a list of bars. */
export function Histogram({ bars, total }: { bars: readonly Bar[]; total: number }) {
  if (bars.length > MAX_COLUMNS || bars.some(({ label }) => label.length > MAX_LABEL))
    return <Bars bars={bars} total={total} isDense />
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <ul class="columns">
      {bars.map(({ label, count, tone = '' }, index) => (
        <li key={index} class="bar">
          <span class="bar-label">{label}</span>
          <span
            class={`bar-fill ${tone}`}
            aria-hidden="true"
            style={{ height: `${(count / most) * COLUMN_REM}rem` }}
          />
          <span class="caption bar-count">{count.toLocaleString('en')}</span>
        </li>
      ))}
    </ul>
  )
}

/**
 * A list of labelled bars: how many of `total` answers each has. A full bar is all of them.
 *
 * @param isDense For many short labels, such as numbers: without percentages, and the longest bar fills the width.
 */
export function Bars({
  bars,
  total,
  isDense = false,
}: {
  bars: readonly Bar[]
  total: number
  isDense?: boolean
}) {
  const full = Math.max(1, isDense ? 0 : total, ...bars.map(({ count }) => count))
  return (
    <ul class={`bars ${isDense ? 'dense' : ''}`}>
      {bars.map(({ label, count, tone = '' }, index) => (
        <li key={index}>
          <span class="bar-label">
            <Line value={label} />
          </span>
          <span class="bar-track" aria-hidden="true">
            <span class={`bar-fill ${tone}`} style={{ width: `${(count / full) * 100}%` }} />
          </span>
          <span class="bar-count">
            {count.toLocaleString('en')}
            {isDense || total === 0 ? null : <span class="muted"> · {percentText(count / total)}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
