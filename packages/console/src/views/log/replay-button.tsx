/** @jsxImportSource preact */
import type { Delivery } from '@formwire/contract/control'
import { signal } from '@preact/signals'
import { CallError, call } from '../../api.ts'
import { count } from '../../format.ts'
import { endpointById } from '../../state/catalog.ts'
import { deliveryLog } from '../../state/deliveries.ts'
import { announce } from '../../ui/announcer.tsx'
import { confirmed } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { planReplay, type ReplayPlan } from './replay-failed.ts'

/** Progress of the bulk replay that runs. */
const running = signal<{ readonly done: number; readonly total: number } | undefined>(undefined)

const isPaused = (endpointId: number): boolean => endpointById.peek().get(endpointId)?.active !== true

/** Sends the replays in order. Stops at the first error that is not about one delivery, such as an unreachable server. */
async function send(deliveries: readonly Delivery[]): Promise<void> {
  const total = deliveries.length
  let [done, refused] = [0, 0]
  let failure: CallError | undefined
  for (const { id } of deliveries) {
    running.value = { done: done + refused, total }
    try {
      await call('POST', `deliveries/${encodeURIComponent(id)}/replay`)
      done++
    } catch (error) {
      if (!(error instanceof CallError)) {
        running.value = undefined
        throw error
      }
      // It was deleted, or its endpoint was paused, since the plan was made.
      if (error.status === 404 || error.status === 422) refused++
      else {
        failure = error
        break
      }
    }
  }
  running.value = undefined
  if (failure) {
    // The token prompt already shows a 401.
    if (failure.status !== 401)
      announce(`Replayed ${done} of ${total}. ${failure.message}`, 'error', undefined, failure.status === 0)
    return
  }
  const skipped = refused > 0 ? ` ${count(refused, 'delivery', 'deliveries')} could not be replayed.` : ''
  announce(`Replayed ${count(done, 'delivery', 'deliveries')}.${skipped}`, skipped ? 'warning' : 'done')
}

async function ask({ send: deliveries, paused }: ReplayPlan): Promise<void> {
  const endpoints = new Set(deliveries.map(({ webhook_id: id }) => id)).size
  const isSure = await confirmed({
    title: `Replay ${count(deliveries.length, 'failed delivery', 'failed deliveries')}?`,
    text: (
      <>
        Each is sent again as a new delivery, oldest first, to {count(endpoints, 'endpoint')}.
        {paused.length > 0
          ? ` ${count(paused.length, 'failed delivery', 'failed deliveries')} of paused endpoints ${paused.length === 1 ? 'is' : 'are'} left out.`
          : ''}
      </>
    ),
    action: 'Replay',
    isDangerous: false,
  })
  if (isSure) await send(deliveries)
}

/** Replays what failed among the listed deliveries, after confirmation. Hidden if nothing did. */
export function ReplayFailed({ list }: { list: readonly Delivery[] }) {
  const progress = running.value
  if (progress) {
    return (
      <span class="with-copy muted" role="status">
        Replaying {progress.done} of {progress.total}
        <progress value={progress.done} max={progress.total} aria-label="Bulk replay" />
      </span>
    )
  }
  const plan = planReplay(list, deliveryLog.list.value, isPaused)
  if (plan.send.length === 0) return null
  return (
    <button type="button" class="button" onClick={() => void ask(plan)}>
      <Icon name="replay" />
      Replay {plan.send.length} failed
    </button>
  )
}
