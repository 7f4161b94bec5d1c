import type { DeliveryOverview, OverviewBucket } from '@formwire/contract/control'
import { useRef, useState } from 'preact/hooks'
import { day, timeOfDay } from '../../format.ts'
import { link } from '../../router.ts'
import { axisMax } from '../figures.ts'

const HEIGHT = 100
/** Width of a bar and its gap, in the units of the drawing, which is stretched to its box. */
const STEP = 10
const BAR = 7
/** Least height of a part, so that one failure of a thousand deliveries is visible. */
const LEAST = 3

/** From the bottom up. */
const PARTS = ['delivered', 'pending', 'failed'] as const

const totalOf = (bucket: OverviewBucket): number => bucket.delivered + bucket.pending + bucket.failed

/** The instants of a bucket, as the filters of the log take them: both included. */
function rangeOf(at: string, bucketSeconds: number) {
  const start = Date.parse(at)
  return {
    from: new Date(start).toISOString(),
    to: new Date(start + bucketSeconds * 1_000 - 1).toISOString(),
  }
}

function describe(bucket: OverviewBucket): string {
  const start = Date.parse(bucket.at)
  const parts = PARTS.filter((part) => bucket[part] > 0).map((part) => `${bucket[part]} ${part}`)
  return `${day(start)}, ${timeOfDay(start).slice(0, 5)}: ${parts.join(', ') || 'no deliveries'}`
}

function Bar({ bucket, index, max }: { bucket: OverviewBucket; index: number; max: number }) {
  let bottom = HEIGHT
  return (
    <>
      <rect class="hit" x={index * STEP} y={0} width={STEP} height={HEIGHT} />
      {PARTS.map((part) => {
        if (bucket[part] === 0) return null
        const height = Math.max(LEAST, (bucket[part] / max) * HEIGHT)
        bottom -= height
        return (
          <rect
            key={part}
            class={part}
            x={index * STEP + (STEP - BAR) / 2}
            y={Math.max(0, bottom)}
            width={BAR}
            height={height}
          />
        )
      })}
    </>
  )
}

/**
 * Deliveries over time, stacked by outcome. Each bar opens the log with the deliveries of its time; the bars are one tab stop,
 * between which the arrow keys move.
 */
export function Chart({ overview }: { overview: DeliveryOverview }) {
  const { buckets, bucket_seconds: bucketSeconds } = overview
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const drawing = useRef<SVGSVGElement>(null)
  const max = axisMax(Math.max(1, ...buckets.map(totalOf)))
  const linked = buckets.flatMap((bucket, index) => (totalOf(bucket) > 0 ? [index] : []))
  const active = chosen !== undefined && linked.includes(chosen) ? chosen : linked.at(-1)
  const onKeyDown = (event: KeyboardEvent) => {
    const at = linked.indexOf(active ?? -1)
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: linked.length - 1,
    }
    const target = linked[targets[event.key] ?? -1]
    if (target === undefined) return
    event.preventDefault()
    setChosen(target)
    drawing.current?.querySelector<SVGAElement>(`[data-index="${target}"]`)?.focus()
  }
  const first = Date.parse(overview.from)
  const last = Date.parse(overview.to)
  return (
    <figure class="chart">
      <div class="caption chart-axis" aria-hidden="true">
        <span>{max}</span>
        <span>0</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form control; this is a drawing with links. */}
      <svg
        ref={drawing}
        viewBox={`0 0 ${buckets.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="group"
        aria-label="Deliveries over time. Choose a bar to see its deliveries."
        onKeyDown={onKeyDown}
      >
        {buckets.map((bucket, index) =>
          totalOf(bucket) === 0 ? (
            <g key={bucket.at}>
              <title>{describe(bucket)}</title>
              <Bar bucket={bucket} index={index} max={max} />
            </g>
          ) : (
            <a
              key={bucket.at}
              href={link(['deliveries'], rangeOf(bucket.at, bucketSeconds))}
              aria-label={describe(bucket)}
              // An attribute of SVG, whose names are case-sensitive.
              tabindex={index === active ? 0 : -1}
              data-index={index}
            >
              <title>{describe(bucket)}</title>
              <Bar bucket={bucket} index={index} max={max} />
            </a>
          ),
        )}
      </svg>
      <div class="caption bar between chart-times" aria-hidden="true">
        <span>{axisTime(first, bucketSeconds)}</span>
        <span>{axisTime((first + last) / 2, bucketSeconds)}</span>
        <span>now</span>
      </div>
    </figure>
  )
}

/** A day for bars of hours, a time for shorter ones. */
const axisTime = (at: number, bucketSeconds: number): string =>
  bucketSeconds > 3_600 ? day(at).replace(/ \d{4}$/, '') : timeOfDay(at).slice(0, 5)
