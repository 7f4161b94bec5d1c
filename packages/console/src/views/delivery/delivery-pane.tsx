/** @jsxImportSource preact */

import type { DeliveryDetail } from '@formwire/contract/control'
import { useEffect, useMemo } from 'preact/hooks'
import { call } from '../api.ts'
import { go, link, route } from '../router.ts'
import { endpointById, endpoints, formById } from '../state/catalog.ts'
import { deliveryLog } from '../state/deliveries.ts'
import { type Resource, resource } from '../state/resource.ts'
import { act } from '../ui/act.ts'
import { Badge } from '../ui/badge.tsx'
import { Copy } from '../ui/copy.tsx'
import { Failed, Loading } from '../ui/empty.tsx'
import { Json } from '../ui/json.tsx'
import { Pane } from '../ui/pane.tsx'
import { useRefreshing } from '../ui/refreshing.ts'
import { Code, Line } from '../ui/text.tsx'
import { Distance, Due, Time } from '../ui/time.tsx'
import { AttemptTimeline } from './attempt-timeline.tsx'
import { ScheduleBar } from './schedule-bar.tsx'

async function replay(id: string, detail: Resource<DeliveryDetail>): Promise<void> {
  const copy = await act(
    () => call<{ id: string }>('POST', `deliveries/${encodeURIComponent(id)}/replay`),
    'Replayed as a new delivery',
  )
  if (copy?.id) go(link(['deliveries', copy.id], Object.fromEntries(route.peek().query)))
  // It may have failed because the delivery was deleted.
  else void detail.refresh()
}

function Facts({ detail }: { detail: DeliveryDetail }) {
  const { form_id: formId, webhook_id: webhookId } = detail
  const endpoint = endpointById.value.get(webhookId)
  const form = formById.value.get(formId)
  return (
    <dl class="facts">
      <dt>Endpoint</dt>
      <dd>{endpoint ? <Line value={endpoint.url} /> : `#${webhookId}`}</dd>
      <dt>Form</dt>
      <dd>
        {formId ? (
          <a href={link(['forms', formId])}>
            <Line value={form?.title ?? formId} />
          </a>
        ) : (
          '–'
        )}
      </dd>
      <dt>Response</dt>
      <dd>
        {detail.response_id === 0 ? (
          'example (test event)'
        ) : (
          <a href={link(['forms', formId, 'responses', detail.response_id])}>#{detail.response_id}</a>
        )}
      </dd>
      <dt>Created</dt>
      <dd>
        <Time at={detail.created_at} />{' '}
        <span class="muted">
          (<Distance at={detail.created_at} />)
        </span>
      </dd>
      {detail.next_attempt_at ? (
        <>
          <dt>Next attempt</dt>
          <dd data-testid="next-attempt">
            <Time at={detail.next_attempt_at} />{' '}
            <span class="muted">
              (<Due at={detail.next_attempt_at} />)
            </span>
          </dd>
        </>
      ) : null}
    </dl>
  )
}

/** One delivery: its status, the timeline of its attempts, and the payload. */
export function DeliveryPane({ id }: { id: string }) {
  const detail = useMemo(
    () => resource(() => call<DeliveryDetail>('GET', `deliveries/${encodeURIComponent(id)}`)),
    [id],
  )
  // The stream replaces the delivery with every change. The attempts are then read again.
  const latest = deliveryLog.get(id)
  useEffect(() => {
    void detail.refresh()
  }, [detail, latest])
  const close = link(['deliveries'], Object.fromEntries(route.value.query))
  // A delivery that was deleted (by a reset, or with its endpoint) is not shown.
  const isGone = detail.status.value === 404
  // The stream has no event for an endpoint that another program deletes, although its log is deleted too (HOOK-03).
  useRefreshing(isGone ? undefined : detail)
  useEffect(() => {
    if (isGone) void endpoints.refresh()
  }, [isGone])
  const loaded = isGone ? undefined : detail.data.value
  return (
    <Pane
      title={loaded?.event ?? 'Delivery'}
      state={loaded ? <Badge state={loaded.status} /> : null}
      actions={
        loaded ? (
          <button type="button" class="button primary" onClick={() => void replay(id, detail)}>
            Replay
          </button>
        ) : null
      }
      close={close}
      closeLabel="Close the delivery"
    >
      <div class="pane-id">
        <Code value={id} /> <Copy text={id} what="the delivery id" />
      </div>
      {loaded ? (
        <>
          {loaded.note ? <p class="note">{loaded.note}</p> : null}
          <Facts detail={loaded} />
          <ScheduleBar detail={loaded} />
          <h3>Attempts</h3>
          <AttemptTimeline detail={loaded} />
          <h3>Payload</h3>
          {loaded.raw_body !== null ? (
            <Json value={loaded.payload} label="Payload" />
          ) : (
            <p class="muted">The response was deleted, and the payload with it.</p>
          )}
        </>
      ) : isGone ? (
        <p class="note" role="status">
          This delivery no longer exists: the server was reset, its endpoint was deleted, or it is too old for
          the log.
        </p>
      ) : detail.error.value ? (
        <Failed message={detail.error.value} onRetry={() => void detail.refresh()} />
      ) : (
        <Loading what="the delivery" />
      )}
    </Pane>
  )
}
