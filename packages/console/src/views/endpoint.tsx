import { useEffect } from 'preact/hooks'
import { link } from '../router.ts'
import { type Endpoint, endpointById, endpoints, formById } from '../state/catalog.ts'
import { log } from '../state/deliveries.ts'
import { Copy } from '../ui/copy.tsx'
import { Empty, NoRows, NotLoaded, Stale } from '../ui/loading.tsx'
import { Health, Line, Time } from '../ui/values.tsx'
import { EndpointMenu, MainAction } from './endpoint-actions.tsx'
import { tallyText } from './figures.ts'
import { Heading } from './heading.tsx'
import { DeliveryTable } from './log/delivery-table.tsx'
import { useLog } from './log/use-log.ts'

const BACK = { href: link(['endpoints']), text: 'Endpoints' }

/** The log of an endpoint. */
function Log({ of: { id, active } }: { of: Endpoint }) {
  const { rows = [], counts, more } = useLog(`webhook_id=${id}`)
  if (rows.length > 0) return <DeliveryTable of={id} list={rows} onMore={more} />
  // What is loaded may be the log of another view.
  if (!counts) return <NotLoaded of={log} what="the delivery log" />
  return (
    <NoRows of={log} what="delivery log" total={0}>
      <Empty title="No deliveries yet" icon="deliveries">
        {active
          ? 'Send a test event with the button above, or submit a response to the form.'
          : 'The endpoint is paused. Resume it to send new responses and test events.'}
      </Empty>
    </NoRows>
  )
}

/** One endpoint: its health, what else is known of it, and its log. */
export function EndpointView({ id }: { id: string }) {
  // From then on, the whole console follows them.
  useEffect(() => void endpoints.freshen(), [])
  const endpoint = endpointById.value.get(Number(id))
  if (!endpoint) {
    return (
      <>
        <Heading title="Endpoint" back={BACK} />
        {endpoints.data.value ? (
          <Empty title="Endpoint not found">
            No endpoint with ID <code>{id.slice(0, 40)}</code>. It may have been deleted, or removed by a
            reset.
          </Empty>
        ) : (
          <NotLoaded of={endpoints} what="the endpoint" />
        )}
      </>
    )
  }
  const { url, form_id: formId } = endpoint
  return (
    <>
      <Heading
        title={url}
        back={BACK}
        aside={<Copy text={url} what="the URL" isIcon />}
        actions={
          <>
            <MainAction endpoint={endpoint} class="button primary" />
            <EndpointMenu endpoint={endpoint} class="button icon-only" />
          </>
        }
      />
      <div class="row summary">
        <Health of={endpoint.health} />
        <span>{tallyText(endpoint.log)}</span>
        <span>
          form{' '}
          <a href={link(['forms', formId, 'endpoints'])}>
            <Line value={formById.value.get(formId)?.title ?? formId} />
          </a>
        </span>
        {endpoint.built_in ? (
          <span>
            at the <a href={link(['server'])}>built-in receiver</a>
          </span>
        ) : null}
        <span>
          added <Time at={endpoint.created_at} />
        </span>
        <span class="muted">#{endpoint.id}</span>
        <a class="end nowrap" href={link(['deliveries'], { webhook: endpoint.id })}>
          View in the log
        </a>
      </div>
      <Stale of={[endpoints, log]} />
      <Log of={endpoint} />
    </>
  )
}
