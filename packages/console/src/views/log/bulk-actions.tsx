import type { Delivery } from '@formwire/contract/control'
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { CallError, call } from '../../api.ts'
import { count } from '../../format.ts'
import { go, link } from '../../router.ts'
import { endpointById, endpointText } from '../../state/catalog.ts'
import { failedDeliveries, type Logged } from '../../state/deliveries.ts'
import { act, announce, announceFailure } from '../../ui/announcer.tsx'
import { Button } from '../../ui/controls.tsx'
import { confirmed } from '../../ui/dialog.tsx'
import { attemptedWithNotice } from '../delivery/attempt-outcome.ts'
import { outcomesText } from '../delivery/outcome.ts'

/** The selected deliveries by id, as they were when they were selected: newer ones may take their place in the list. */
const selected = signal<ReadonlyMap<string, Logged>>(new Map())

export const isSelected = (id: string): boolean => selected.value.has(id)

/** Returns the selected deliveries, oldest first: those that are no longer listed are older than the list. */
function selectedWith(list: readonly Logged[]): readonly Logged[] {
  const places = new Map(list.map(({ id }, index) => [id, index]))
  const placeOf = ({ id }: Logged): number => places.get(id) ?? list.length
  return [...selected.value.values()]
    .map((one) => list[placeOf(one)] ?? one)
    .sort((a, b) => placeOf(b) - placeOf(a))
}

export function selectAll(list: readonly Logged[]): void {
  selected.value = new Map(list.toReversed().map((one) => [one.id, one]))
}

export const clearSelection = (): void => selectAll([])

/** Selects a delivery, or no longer. */
export function toggleSelected(one: Logged): void {
  const chosen = new Map(selected.peek())
  if (!chosen.delete(one.id)) chosen.set(one.id, one)
  selected.value = chosen
}

/** Progress of the replay that runs. */
const running = signal<{ done: number; total: number } | undefined>(undefined)

/** Returns how many deliveries, such as `3 failed deliveries`. */
export const deliveriesText = (amount: number, kind = ''): string =>
  count(amount, `${kind}delivery`, `${kind}deliveries`)

/** Replays deliveries in order and announces the outcome. Stops at the first error that is not about one delivery, such as a lost connection. */
export async function replay(deliveries: readonly Logged[]): Promise<void> {
  const total = deliveries.length
  if (total === 0) return
  /** The new deliveries, which have had no attempts. */
  const sent = new Map<string, number>()
  let refused = 0
  try {
    for (const { id } of deliveries) {
      running.value = { done: sent.size + refused, total }
      const path = `deliveries/${encodeURIComponent(id)}/replay`
      const created = await call<Delivery>('POST', path).catch((error: unknown) => {
        // It was deleted, or its endpoint was paused, since it was listed.
        if (!(error instanceof CallError) || (error.status !== 404 && error.status !== 422)) throw error
        refused++
      })
      if (created) sent.set(created.id, 0)
    }
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return announceFailure({ ...error, message: `Replayed ${sent.size} of ${total}. ${error.message}` })
  } finally {
    running.value = undefined
    clearSelection()
  }
  const what = `Replayed ${deliveriesText(sent.size)}`
  const ids = [...sent.keys()].join(',')
  const view = ids === '' ? undefined : { text: 'View', run: () => go(link(['deliveries'], { ids })) }
  const ended = await attemptedWithNotice(sent, `${what}. Waiting for the responses.`, view)
  const outcome = sent.size > 0 ? `: ${outcomesText(ended, sent.size)}` : ''
  const skipped = refused > 0 ? ` ${deliveriesText(refused)} could not be replayed.` : ''
  const isDone = refused === 0 && ended.length === sent.size && ended.every(({ error }) => error === null)
  announce(`${what}${outcome}.${skipped}`, isDone ? 'done' : 'warning', view)
}

/** Returns the endpoints of deliveries, the first ones by name: `2 endpoints: a.example/hook, b.example/hook`. */
function endpointsText(of: readonly Logged[]): ComponentChildren {
  const ids = [...new Set(of.map(({ webhook_id: id }) => id))]
  const names = ids.slice(0, 4).map((id, at) => [at > 0 && ', ', <bdi key={id}>{endpointText(id)}</bdi>])
  return [count(ids.length, 'endpoint'), ': ', names, ids.length > 4 && ` and ${ids.length - 4} more`]
}

/** Returns those of some deliveries that can be replayed now, and what is said of those whose endpoint is paused or was deleted. */
function plan(of: readonly Logged[]) {
  const ended = of.filter(({ status }) => status !== 'pending')
  const send = ended.filter(({ webhook_id: id }) => endpointById.value.get(id)?.active)
  const paused = ended.length - send.length
  return { send, left: paused > 0 && `${deliveriesText(paused)} of paused endpoints can’t be replayed.` }
}

/** Replays deliveries, after confirmation. Pending ones are sent anyway. @param kind What they are, such as `failed`. */
async function askToReplay(of: readonly Logged[], kind: string): Promise<void> {
  const { send, left } = plan(of)
  if (send.length === 0) {
    announce(left || `No ${kind} deliveries to replay.`, 'warning')
    return
  }
  const title = `Replay ${deliveriesText(send.length, kind && `${kind} `)}?`
  const how = send.length === 1 ? 'It is sent again' : 'Each is sent again, oldest first,'
  const text = [how, ' as a new delivery, to ', endpointsText(send), '. ', left]
  if (await confirmed({ title, text, action: 'Replay', isDangerous: false })) await replay(send)
}

interface ReplayButtonProps {
  /** Oldest first, so that receivers get them in the order of their creation. */
  readonly of: readonly Logged[]
  /** What they are, such as `selected`. @default '' */
  readonly kind?: string
}

export function ReplayButton({ of, kind = '' }: ReplayButtonProps) {
  const { send, left } = plan(of)
  return (
    <Button
      icon="replay"
      isOff={send.length === 0}
      title={left || undefined}
      run={() => askToReplay(of, kind)}
    >
      Replay {kind && `${kind} (${send.length})`}
    </Button>
  )
}

/** Replays what failed of the deliveries that match a query, and shows the progress. */
export function ReplayFailed({ query, isOff }: { query: string; isOff: boolean }) {
  const progress = running.value
  if (progress) {
    return (
      <span class="bar muted" role="status">
        Replaying {progress.done} of {progress.total}
        <progress value={progress.done} max={progress.total} aria-label="Replay" />
      </span>
    )
  }
  const run = async () => {
    const failed = await act(() => failedDeliveries(query))
    if (failed) await askToReplay(failed, 'failed')
  }
  return (
    <Button icon="replay" isOff={isOff} run={run}>
      Replay failed
    </Button>
  )
}

/** What is done to the selected deliveries, over the end of their table. */
export function SelectionBar({ list }: { list: readonly Logged[] }) {
  const chosen = selectedWith(list)
  if (chosen.length === 0 || running.value) return null
  return (
    <div class="selection-bar">
      <div class="row box" role="toolbar" aria-label="Selected deliveries">
        <Button icon="close" run={clearSelection}>
          Clear selection of {chosen.length}
        </Button>
        <ReplayButton of={chosen} kind="selected" />
      </div>
    </div>
  )
}
