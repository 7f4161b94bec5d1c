import type { ReceiverState } from '@formwire/contract/control'
import { count } from '../../format.ts'
import { link } from '../../router.ts'
import { endpoints, receivers } from '../../state/catalog.ts'
import { deliveryPulse } from '../../state/deliveries.ts'
import { Copy } from '../../ui/copy.tsx'
import { useRefreshing } from '../../ui/refreshing.ts'
import { Code } from '../../ui/text.tsx'
import { stepText } from './receiver-script.tsx'

/** The receivers that were started over the control API, such as by a test suite. Not shown while there are none. */
export function ReceiversCard() {
  useRefreshing(receivers, deliveryPulse)
  const all = receivers.data.value ?? []
  if (all.length === 0) return null
  return (
    <section class="card" aria-labelledby="receivers-title">
      <header class="item">
        <h2 id="receivers-title">Other receivers</h2>
        <span class="muted">{all.length}</span>
      </header>
      <p>
        Started with <code>POST /_app/receivers</code>, for example by a test suite.
      </p>
      <ul class="faults">
        {all.map((receiver) => (
          <Row key={receiver.id} receiver={receiver} />
        ))}
      </ul>
    </section>
  )
}

function Row({ receiver }: { receiver: ReceiverState }) {
  const { url, received, unverified } = receiver
  const used = (endpoints.data.value ?? []).filter((endpoint) => endpoint.url.startsWith(url)).length
  return (
    <li>
      <Code value={url} /> <Copy text={url} what="the receiver URL" isIcon />
      <span class="muted">
        {count(received, 'request')},{' '}
        {used > 0 ? (
          <a href={link(['endpoints'], { q: new URL(url).host })}>{count(used, 'endpoint')}</a>
        ) : (
          'no endpoints'
        )}
        . {nextText(receiver)}.
      </span>
      {unverified > 0 ? <span class="badge bad">{unverified} with an invalid signature</span> : null}
    </li>
  )
}

/** What the next request gets, such as `Next: respond with 503, 2 steps left`. */
function nextText({ next_step: next, steps_left: left }: ReceiverState): string {
  if (next === null) return 'Responds with 200'
  const text = stepText(next) ?? (typeof next === 'object' ? 'a scripted response' : String(next))
  return `Next: ${text}, ${count(left, 'step')} left`
}
