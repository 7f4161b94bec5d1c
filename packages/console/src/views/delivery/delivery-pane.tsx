import { DELIVERY_ATTEMPTS } from '@formwire/contract'
import type { Delivery, DeliveryDetail } from '@formwire/contract/control'
import { escapeInvisible } from '@formwire/internal/invisible'
import { toneOf } from '@formwire/internal/status-tone'
import { useEffect } from 'preact/hooks'
import { formPath, get } from '../../api.ts'
import { link, route } from '../../router.ts'
import { endpointById, endpoints, formById } from '../../state/catalog.ts'
import { serverNow } from '../../state/clock.ts'
import { deliveryPulse } from '../../state/deliveries.ts'
import { type Resource, useResource } from '../../state/resource.ts'
import { Copy } from '../../ui/copy.tsx'
import { NotLoaded, useItem, useRefreshing } from '../../ui/loading.tsx'
import { type Neighbours, Pane } from '../../ui/pane.tsx'
import { Badge, Code, Facts, Health, Line, Moment } from '../../ui/values.tsx'
import { Attempts } from './attempts.tsx'
import { DeliveryActions } from './delivery-actions.tsx'
import { noteText } from './outcome.ts'
import { verdictOf } from './verdict.ts'

function Route({ of }: { of: DeliveryDetail }) {
  const { form_id: formId, response_id: responseId, webhook_id: webhookId } = of
  const endpoint = endpointById.value.get(webhookId)
  return (
    <div class="row route">
      <a href={link(['forms', formId])}>
        <Line value={formById.value.get(formId)?.title ?? formId} />
      </a>
      {responseId === 0 ? (
        <span class="muted">example response (test event)</span>
      ) : (
        <a href={link(['forms', formId, 'responses', responseId])}>response #{responseId}</a>
      )}
      <span class="muted">to</span>
      {endpoint ? (
        <a href={link(['endpoints', webhookId])}>
          <Line value={endpoint.url} />
        </a>
      ) : (
        `#${webhookId}`
      )}
      {endpoint && endpoint.health.state !== 'healthy' ? <Health of={endpoint.health} /> : null}
    </div>
  )
}

/** Returns the URL of a delivery with the filters of the list, or of the list itself. */
const deliveryUrl = (...id: readonly string[]): string =>
  link(['deliveries', ...id], Object.fromEntries(route.value.query))

/** What a delivery came to, in a sentence: why it failed, in the receiver's words, and what comes next. */
function VerdictLine({ of, replay }: { of: DeliveryDetail; replay: Delivery | undefined }) {
  const note = noteText(of.note, endpointById.value.get(of.webhook_id)?.active === false, !!replay)
  const { outcome, quote, next } = verdictOf({ ...of, note }, serverNow.value ?? 0)
  return (
    <p class={`verdict ${toneOf(of.status)}`}>
      {outcome}
      {quote && ': '}
      {quote && <bdi class="mono">{escapeInvisible(quote)}</bdi>}
      {outcome && '. '}
      <span class="regular">{next} </span>
      {replay && <a href={deliveryUrl(replay.id)}>Replayed, {replay.status} →</a>}
    </p>
  )
}

const OtherDelivery = ({ of }: { of: Delivery }) => (
  <span class="bar">
    <a href={deliveryUrl(of.id)}>
      <Code value={of.id} />
    </a>
    <Badge state={of.status} />
  </span>
)

/**
 * Returns the oldest delivery of the same response to the same endpoint, unless it is the open one, and those that repeat that later,
 * newest first (DLV-08). Test events cannot be told apart by their response.
 */
function useRepeats({ id, form_id: form, response_id: response, webhook_id: endpoint }: DeliveryDetail) {
  const all = useResource(get<Delivery[]>, `${formPath(form)}/responses/${response}/deliveries`)
  useRefreshing(response === 0 ? undefined : all, deliveryPulse)
  const same = (all.data.value ?? []).filter((one) => one.webhook_id === endpoint)
  const at = same.findIndex((one) => one.id === id)
  return {
    original: at === same.length - 1 ? undefined : same.at(-1),
    replays: same.slice(0, Math.max(0, at)),
  }
}

function Loaded({ loaded, detail }: { loaded: DeliveryDetail; detail: Resource<DeliveryDetail> }) {
  const { original, replays } = useRepeats(loaded)
  /** What shows what came of sending it again: the newest that was delivered, or the newest. */
  const replay =
    loaded.status === 'delivered'
      ? undefined
      : (replays.find(({ status }) => status === 'delivered') ?? replays[0])
  const listed = replays.slice(0, 5).map((one) => <OtherDelivery key={one.id} of={one} />)
  const more = replays.length - listed.length
  return (
    <>
      <Route of={loaded} />
      <VerdictLine of={loaded} replay={replay} />
      <DeliveryActions loaded={loaded} detail={detail} replayed={replay} />
      <h3>
        Attempts{' '}
        <span class="muted regular">
          {loaded.attempts.length} of {DELIVERY_ATTEMPTS}
        </span>
      </h3>
      <Attempts detail={loaded} />
      <Facts
        of={[
          ['Replay of', original && <OtherDelivery of={original} />],
          [
            original ? 'Later replays' : 'Replayed as',
            listed.length > 0 && [...listed, more > 0 && <span class="muted">and {more} older</span>],
          ],
          ['Created', <Moment at={loaded.created_at} />],
        ]}
      />
    </>
  )
}

/** One delivery: its state, what sends it again, and what each attempt sent and received. */
export function DeliveryPane({ id, neighbours }: { id: string; neighbours: Neighbours }) {
  const detail = useResource(get<DeliveryDetail>, `deliveries/${encodeURIComponent(id)}`)
  const loaded = useItem(detail, deliveryPulse)
  const isGone = detail.status.value === 404
  // The stream has no event for an endpoint that another program deletes, although its log is deleted too (HOOK-03).
  useEffect(() => void (isGone && endpoints.refresh()), [isGone])
  return (
    <Pane
      title={loaded ? `${loaded.event} ${loaded.response_id ? `#${loaded.response_id}` : ''}` : 'Delivery'}
      state={loaded ? <Badge state={loaded.status} /> : null}
      close={deliveryUrl()}
      closeLabel="Close the delivery"
      neighbours={neighbours}
    >
      <div class="bar tight pane-id">
        <Code value={id} /> <Copy text={id} what="the delivery ID" isIcon />
      </div>
      {loaded ? (
        <Loaded loaded={loaded} detail={detail} />
      ) : (
        <NotLoaded
          of={detail}
          what="the delivery"
          gone="This delivery no longer exists: the server was reset, its endpoint was deleted, or it is too old for the log."
        />
      )}
    </Pane>
  )
}
