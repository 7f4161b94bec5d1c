import type { DeliveryOverview, OverviewSpan } from '@formwire/contract/control'
import { useRef, useState } from 'preact/hooks'
import { count, day, duration, percentText, timeOfDay } from '../../format.ts'
import { link } from '../../router.ts'
import { endpoints, overview, overviewSpan, showSpan } from '../../state/catalog.ts'
import { serverNow } from '../../state/clock.ts'
import { deliveryPulse } from '../../state/deliveries.ts'
import { Select } from '../../ui/controls.tsx'
import { useRefreshing } from '../../ui/loading.tsx'
import { movedBy } from '../../ui/shortcuts.ts'
import { Figure, Time } from '../../ui/values.tsx'
import { OUTCOMES, successRate, type Tally, tallyText } from '../figures.ts'

const SPANS = [
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
] as const

const totalOf = ({ delivered, pending, failed }: Tally): number => delivered + pending + failed

/**
 * Deliveries over time, stacked by outcome, with their numbers on hover and focus. Each bar opens the log with the deliveries of its
 * time; the bars are one tab stop, between which the arrow keys move.
 */
function Sparkline({ of: { buckets, bucket_seconds: seconds } }: { of: DeliveryOverview }) {
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const bars = useRef<HTMLDivElement>(null)
  const max = Math.max(1, ...buckets.map(totalOf))
  const linked = buckets.filter((bucket) => totalOf(bucket) > 0)
  const active = linked.find(({ at }) => at === chosen) ?? linked.at(-1)
  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...(bars.current?.querySelectorAll('a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    const target = movedBy(event.key, ['ArrowLeft', 'ArrowRight'], at, links.length)
    if (target === undefined) return
    event.preventDefault()
    setChosen(linked[target]?.at)
    links[target]?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form control; this is a drawing with links.
    <div
      ref={bars}
      class="sparkline tip-box"
      role="group"
      aria-label="Deliveries over time. Choose a bar to see its deliveries."
      onKeyDown={onKeyDown}
    >
      {buckets.map((bucket) => {
        const start = Date.parse(bucket.at)
        const text = `${day(start)}, ${timeOfDay(start).slice(0, 5)}: ${tallyText(bucket)}`
        if (totalOf(bucket) === 0) return <span key={bucket.at} data-tip={text} />
        // The filters of the log include both instants.
        const to = new Date(start + seconds * 1_000 - 1).toISOString()
        return (
          <a
            key={bucket.at}
            href={link(['deliveries'], { from: bucket.at, to })}
            aria-label={text}
            data-tip={text}
            tabIndex={bucket === active ? 0 : -1}
          >
            {OUTCOMES.filter((part) => bucket[part] > 0).map((part) => (
              <i key={part} class={part} style={{ height: `${(bucket[part] / max) * 100}%` }} />
            ))}
          </a>
        )
      })}
    </div>
  )
}

/**
 * The endpoints that fail now: the page of the only one, or the list of all of them. Without any, the deliveries that are retried: the
 * latest attempt of their endpoints was of another one.
 */
function FailingEndpoints({ retried }: { retried: number }) {
  const failing = (endpoints.data.value ?? []).filter(({ health }) => health.state === 'failing')
  const since = failing.flatMap(({ health }) => health.since ?? []).sort()[0]
  const today = new Date(serverNow.value ?? 0).toISOString().slice(0, 10)
  const [only, ...others] = failing
  if (!endpoints.data.value) return null
  if (!only && retried > 0)
    return (
      <a class="failing-endpoints" href={link(['deliveries'], { status: 'failing' })}>
        {count(retried, 'delivery is', 'deliveries are')} retried, no endpoint is failing
      </a>
    )
  if (!only) return <span class="muted">No endpoint is failing</span>
  return (
    <a
      class="bar tight failing-endpoints bad"
      href={others.length === 0 ? link(['endpoints', only.id]) : link(['endpoints'], { status: 'failing' })}
    >
      <span class="dot failed" aria-hidden="true" />
      <span>
        {count(failing.length, 'endpoint')} failing{since ? ' since ' : ''}
        {since?.slice(0, 10) === today ? since?.slice(11, 16) : since ? <Time at={since} /> : null}
      </span>
    </a>
  )
}

/**
 * What became of the deliveries of a span, on one line: a sparkline, two figures, and the endpoints that fail now.
 *
 * @param failing Number of the deliveries of the log that fail now.
 */
export function Strip({ failing }: { failing: number }) {
  useRefreshing(overview, deliveryPulse)
  const of = overview.data.value
  // Nothing was delivered yet: the log says what to do.
  if (!of || (of.endpoints.length === 0 && overviewSpan.value === '30d')) return null
  const rate = successRate(of)
  const tone = rate === null || rate >= 0.99 ? 'good' : rate >= 0.9 ? 'wait' : 'bad'
  // With more numbers on hover and focus. It opens the deliveries that it is of.
  const figure = (label: string, value: string, tip: string, tone = '') => (
    <Figure class={tone} label={label}>
      <a class="tip-box" href={link(['deliveries'], { from: of.from })} data-tip={tip} aria-description={tip}>
        {value}
      </a>
    </Figure>
  )
  const span = SPANS.find(([value]) => value === overviewSpan.value)?.[1] ?? ''
  const scope = of.is_partial ? `${span}, of the latest 20,000 deliveries` : span
  const [p50, p95] = [duration(of.p50_ms), duration(of.p95_ms)]
  return (
    <section class="bar strip" aria-label="Overview">
      <Sparkline of={of} />
      <dl class="bar figures">
        {figure('success rate', rate === null ? '–' : percentText(rate), `${scope}: ${tallyText(of)}`, tone)}
        {figure('p95', p95, `Median response time ${p50}, 95% up to ${p95}`)}
      </dl>
      <FailingEndpoints retried={failing} />
      <Select
        class="choice end"
        label="Time range of the overview"
        text=""
        value={overviewSpan.value}
        options={SPANS}
        choose={(value) => showSpan(value as OverviewSpan)}
      />
    </section>
  )
}
