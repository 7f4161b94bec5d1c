/** @jsxImportSource preact */
import { useEffect, useMemo } from 'preact/hooks'
import { call } from '../api.ts'
import { go, link, route } from '../router.ts'
import { endpointById, endpoints, formById } from '../state/catalog.ts'
import { deliveryLog } from '../state/deliveries.ts'
import { type Resource, resource } from '../state/resource.ts'
import type { DeliveryDetail } from '../types.ts'
import { act } from '../ui/act.ts'
import { Badge } from '../ui/badge.tsx'
import { Copy } from '../ui/copy.tsx'
import { Failed, Loading } from '../ui/empty.tsx'
import { Json } from '../ui/json.tsx'
import { Pane } from '../ui/pane.tsx'
import { useRefreshing } from '../ui/refreshing.ts'
import { Code, Line } from '../ui/text.tsx'
import { Distance, Due, Time } from '../ui/time.tsx'
import { AttemptTimeLine } from './attempt-time-line.tsx'
import { ScheduleBar } from './schedule-bar.tsx'

async function replay(id: string, detail: Resource<DeliveryDetail>): Promise<void> {
  const copy = await act(
    () => call<{ id: string }>('POST', `deliveries/${encodeURIComponent(id)}/replay`),
    'Replayed: the copy is a new entry',
  )
  if (copy?.id) go(link(['deliveries', copy.id], Object.fromEntries(route.peek().query)))
  // Refused: it may be because the entry is gone.
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

/** One delivery: its state, its attempts on a time line, and what was sent. */
export function DeliveryPane({ id }: { id: string }) {
  const detail = useMemo(
    () => resource(() => call<DeliveryDetail>('GET', `deliveries/${encodeURIComponent(id)}`)),
    [id],
  )
  // The stream replaces the entry at every change: that is when the attempts are worth reading again.
  const entry = deliveryLog.get(id)
  useEffect(() => {
    void detail.refresh()
  }, [detail, entry])
  const close = link(['deliveries'], Object.fromEntries(route.value.query))
  // An entry that is no longer there (a reset, its endpoint deleted) is not shown as if it were.
  const isGone = detail.status.value === 404
  // The stream tells nothing of an endpoint that another program deletes, though its log goes with it (HOOK-03).
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
      closeLabel="Close the entry"
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
          <AttemptTimeLine detail={loaded} />
          <h3>Payload</h3>
          {loaded.raw_body !== null ? (
            <Json value={loaded.payload} label="Payload" />
          ) : (
            <p class="muted">The response was deleted, and its payload with it.</p>
          )}
        </>
      ) : isGone ? (
        <p class="note" role="status">
          This entry is no longer there: the server was reset, its endpoint was deleted, or the log moved on.
        </p>
      ) : detail.error.value ? (
        <Failed message={detail.error.value} onRetry={() => void detail.refresh()} />
      ) : (
        <Loading what="the delivery" />
      )}
    </Pane>
  )
}
