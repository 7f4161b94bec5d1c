import { percentText } from '../format.ts'
import { link } from '../router.ts'
import { endpoints } from '../state/catalog.ts'
import { totals } from '../state/deliveries.ts'
import { Figure } from '../ui/values.tsx'
import { pausedText, successRate } from './figures.ts'

/** What became of the deliveries of the log, and which endpoints get none. */
export function Strip() {
  const rate = successRate(totals.value)
  const all = endpoints.data.value ?? []
  const failing = all.filter(({ health }) => health.state === 'failing')
  const paused = pausedText(all)
  const tone = rate === null || rate >= 0.99 ? 'good' : rate >= 0.9 ? 'wait' : 'bad'
  const [only, ...others] = failing
  const none = endpoints.data.value ? 'none' : '–'
  const page =
    only && others.length === 0 ? link(['endpoints', only.id]) : link(['endpoints'], { status: 'failing' })
  return (
    <section aria-label="Overview">
      <dl class="row figures">
        {/* Of what is over while nothing fails now. */}
        <Figure class={only ? tone : ''} label="success rate">
          {rate === null ? '–' : percentText(rate)}
        </Figure>
        <Figure
          class={only ? 'bad' : ''}
          label={others.length > 0 ? 'endpoints failing' : 'endpoint failing'}
        >
          {only ? <a href={page}>{failing.length.toLocaleString('en')}</a> : none}
        </Figure>
        {paused && (
          <Figure class="wait" label="endpoints">
            <a href={link(['endpoints'], { status: 'paused' })}>{paused}</a>
          </Figure>
        )}
      </dl>
    </section>
  )
}
