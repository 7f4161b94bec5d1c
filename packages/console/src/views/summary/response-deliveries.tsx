import type { Delivery } from '@formwire/contract/control'
import { formPath, get } from '../../api.ts'
import { count } from '../../format.ts'
import { link } from '../../router.ts'
import { endpointById } from '../../state/catalog.ts'
import { deliveryPulse } from '../../state/deliveries.ts'
import { useResource } from '../../state/resource.ts'
import { Badge } from '../../ui/badge.tsx'
import { useRefreshing } from '../../ui/refreshing.ts'
import { Line } from '../../ui/text.tsx'

/** The deliveries of a response: to which endpoint each goes, and what became of it. */
export function ResponseDeliveries({ formId, id }: { formId: string; id: number }) {
  const deliveries = useResource(get<Delivery[]>, `${formPath(formId)}/responses/${id}/deliveries`)
  useRefreshing(deliveries, deliveryPulse)
  const loaded = deliveries.data.value
  return (
    <>
      <h3>Deliveries</h3>
      {loaded === undefined ? (
        <p class="muted" role="status">
          {deliveries.error.value ?? 'Loading the deliveries…'}
        </p>
      ) : loaded.length === 0 ? (
        <p class="muted">
          None. No endpoint was active when the response was submitted, or the delivery log has since been
          removed.
        </p>
      ) : (
        <ul class="stack response-deliveries">
          {loaded.map((delivery) => {
            const url = endpointById.value.get(delivery.webhook_id)?.url.replace(/^https?:\/\//, '')
            return (
              <li key={delivery.id} class="bar">
                <Badge state={delivery.status} />
                <a href={link(['deliveries', delivery.id])}>
                  <Line value={url ?? `#${delivery.webhook_id}`} />
                </a>
                <span class="muted nowrap">{count(delivery.attempts, 'attempt')}</span>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}
