import { duration, percentText } from '../format.ts'
import { link } from '../router.ts'
import { endpoints } from '../state/catalog.ts'
import { deliveryLog } from '../state/deliveries.ts'
import { Figure } from '../ui/values.tsx'
import { p95, successRate } from './figures.ts'

/** What became of the deliveries of the log, in three numbers. */
export function Strip() {
  const log = deliveryLog.list.value
  const rate = successRate(log)
  const tone = rate === null || rate >= 0.99 ? 'good' : rate >= 0.9 ? 'wait' : 'bad'
  const failing = (endpoints.data.value ?? []).filter(({ health }) => health.state === 'failing')
  const [only, ...others] = failing
  const page =
    only && others.length === 0 ? link(['endpoints', only.id]) : link(['endpoints'], { status: 'failing' })
  return (
    <section aria-label="Overview">
      <dl class="row figures">
        <Figure class={tone} label="success rate">
          {rate === null ? '–' : percentText(rate)}
        </Figure>
        <Figure class="" label="p95">
          {duration(p95(log))}
        </Figure>
        <Figure
          class={only ? 'bad' : ''}
          label={others.length > 0 ? 'endpoints failing' : 'endpoint failing'}
        >
          {only ? <a href={page}>{failing.length}</a> : 'none'}
        </Figure>
      </dl>
    </section>
  )
}
