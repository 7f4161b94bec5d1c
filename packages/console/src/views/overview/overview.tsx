import type { DeliveryOverview, DeliveryStatus } from '@formwire/contract/control'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { duration, percentText, withoutScheme } from '../../format.ts'
import { link } from '../../router.ts'
import { endpoints, overview, overviewSpan, showSpan } from '../../state/catalog.ts'
import { deliveryLog, deliveryPulse, logs } from '../../state/deliveries.ts'
import { KEPT_PER_ENDPOINT } from '../../state/delivery-log.ts'
import { Button, Switch } from '../../ui/controls.tsx'
import { Stale, useRefreshing } from '../../ui/loading.tsx'
import { Line, Time } from '../../ui/values.tsx'
import { successRate } from '../figures.ts'
import { Chart } from './chart.tsx'

const SPANS = [
  { value: '1h', text: '1 h', label: 'Last hour' },
  { value: '24h', text: '24 h', label: 'Last 24 hours' },
  { value: '7d', text: '7 d', label: 'Last 7 days' },
  { value: '30d', text: '30 d', label: 'Last 30 days' },
] as const

const STORAGE_KEY = 'formwire.overview'
/** Most failing endpoints, and error classes, that are listed. */
const LISTED = 3
const ERRORS_LISTED = 10

/** A figure, which filters the log if it is a link. */
function Metric({
  label,
  value,
  tone = '',
  isLink = true,
  status,
}: {
  label: string
  value: ComponentChildren
  tone?: string
  isLink?: boolean
  /** Status of the deliveries that it counts, whose colour it has in the chart. @default any */
  status?: DeliveryStatus
}) {
  const query = { status, from: overview.data.value?.from }
  return (
    <a class={`metric ${tone}`} href={isLink ? link(['deliveries'], query) : undefined}>
      <span class="metric-value">{value}</span>
      <span class="caption metric-label">
        {status === undefined ? null : <i class={status} aria-hidden="true" />}
        {label}
      </span>
    </a>
  )
}

function Metrics({ of }: { of: DeliveryOverview }) {
  const rate = successRate(of)
  return (
    <div class="metrics">
      <Metric
        label="success rate"
        value={rate === null ? '–' : percentText(rate)}
        tone={rate === null || rate >= 0.99 ? 'good' : rate >= 0.9 ? 'wait' : 'bad'}
      />
      {(['delivered', 'pending', 'failed'] as const).map((status) => (
        <Metric key={status} label={status} value={of[status].toLocaleString('en')} status={status} />
      ))}
      <Metric label="p50 response time" value={duration(of.p50_ms)} isLink={false} />
      <Metric label="p95 response time" value={duration(of.p95_ms)} isLink={false} />
    </div>
  )
}

/** Endpoints that fail now, and error classes of the span. Each filters the log. */
function Troubles({ of }: { of: DeliveryOverview }) {
  const failing = (endpoints.data.value ?? []).filter(({ health }) => health.state === 'failing')
  const errors = new Map(of.endpoints.map(({ webhook_id: id, last_error: error }) => [id, error]))
  const { from } = of
  return (
    <div class={`stack troubles ${failing.length + of.errors.length === 0 ? 'is-fine' : ''}`}>
      <section class="stack" aria-labelledby="failing-endpoints">
        <h3 id="failing-endpoints">Failing endpoints</h3>
        {failing.length === 0 ? (
          <p class="caption">
            None{of.endpoints.length > 0 ? '. The latest attempt to every active endpoint succeeded' : ''}.
          </p>
        ) : null}
        <ul>
          {failing.slice(0, LISTED).map(({ id, url, health }) => (
            <li key={id} class="bar between">
              <a href={link(['deliveries'], { webhook: id })}>
                <Line value={withoutScheme(url)} />
              </a>
              <span class="error-class">{errors.get(id)}</span>
              <span class="muted">since {health.since === null ? '' : <Time at={health.since} />}</span>
            </li>
          ))}
        </ul>
      </section>
      <section class="stack" aria-labelledby="error-classes">
        <h3 id="error-classes">Failed attempts</h3>
        {of.errors.length === 0 ? <p class="caption">None.</p> : null}
        <ul class="row error-classes">
          {of.errors.slice(0, ERRORS_LISTED).map(({ error, attempts }) => (
            <li key={error} class="bar">
              <a href={link(['deliveries'], { result: error, from })}>{error}</a>
              <span class="muted">{attempts.toLocaleString('en')}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

/** Says why the log has fewer deliveries of the span than the overview counts. */
function Beyond({ of }: { of: DeliveryOverview }) {
  if (!logs.data.value) return null
  const from = Date.parse(of.from)
  // Not followed: the counts are those of the moment when the overview was loaded.
  const listed = deliveryLog.list.peek().filter(({ created_at: at }) => Date.parse(at) >= from).length
  if (listed >= of.delivered + of.pending + of.failed) return null
  return <span class="hint">The log has the latest {KEPT_PER_ENDPOINT} of each endpoint.</span>
}

/** What became of the deliveries of a span: figures, a chart and what fails, above the log. Each part filters the log. */
export function Overview() {
  useRefreshing(overview, deliveryPulse)
  const [isOpen, setOpen] = useState(localStorage.getItem(STORAGE_KEY) !== 'closed')
  const loaded = overview.data.value
  const toggle = () => {
    setOpen(!isOpen)
    localStorage.setItem(STORAGE_KEY, isOpen ? 'closed' : 'open')
  }
  // Nothing was delivered yet: the log says what to do.
  if (!loaded || (loaded.endpoints.length === 0 && overviewSpan.value === '30d')) return null
  return (
    <section class="stack overview" aria-labelledby="overview-title">
      <header class="row">
        <h2 id="overview-title">Overview</h2>
        <Switch
          legend="Time range of the overview"
          value={overviewSpan.value}
          options={SPANS}
          choose={showSpan}
        />
        <span class="spring" />
        {loaded.is_partial ? <span class="hint">the latest 20,000 deliveries</span> : <Beyond of={loaded} />}
        <Button class="button small plain" aria-expanded={isOpen} run={toggle}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      </header>
      <Stale of={[overview]} />
      {isOpen ? (
        <div class="overview-body">
          <Metrics of={loaded} />
          <Chart overview={loaded} />
          <Troubles of={loaded} />
        </div>
      ) : null}
    </section>
  )
}
