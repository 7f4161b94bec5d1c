import type { Delivery } from '@formwire/contract/control'
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { CallError, call, saveJson } from '../../api.ts'
import { count } from '../../format.ts'
import { go, link } from '../../router.ts'
import { endpointById, endpointText } from '../../state/catalog.ts'
import { serverNow } from '../../state/clock.ts'
import { deliveryLog } from '../../state/deliveries.ts'
import { announce, announceFailure } from '../../ui/announcer.tsx'
import { Button, type IconName } from '../../ui/controls.tsx'
import { confirmed } from '../../ui/dialog.tsx'
import { MenuButton, type MenuItem, type MenuItems } from '../../ui/menu.tsx'
import { attemptedWithNotice } from '../delivery/attempt-outcome.ts'
import { resumeEndpoint } from '../resume-endpoint.ts'
import {
  deliveriesText,
  outcomeOf,
  planReplayOfAll,
  planReplayOfFailed,
  type ReplayPlan,
  waitingOf,
} from './bulk-plan.ts'
import { clearSelection, selectAll, selectedOf } from './selection.ts'

const REPLAY = { verb: 'replay', action: 'Resend', progressive: 'Resending', done: 'Resent' }
const RETRY = { verb: 'retry', action: 'Retry now', progressive: 'Retrying', done: 'Retried' }

/** Progress of the bulk action that runs. */
const running = signal<{ text: string; done: number; total: number } | undefined>(undefined)

export const isPaused = (endpointId: number): boolean => endpointById.peek().get(endpointId)?.active !== true

/** Sends the calls in order and announces the outcome. Stops at the first error that is not about one delivery, such as a lost connection. */
async function send(
  { verb, progressive, done }: typeof REPLAY,
  deliveries: readonly Delivery[],
): Promise<void> {
  const total = deliveries.length
  if (total === 0) return
  /** The deliveries whose attempt is waited for, with the number of attempts that they had. */
  const sent = new Map<string, number>()
  let refused = 0
  try {
    for (const { id } of deliveries) {
      running.value = { text: progressive, done: sent.size + refused, total }
      const before = verb === 'retry' ? (deliveryLog.get(id)?.attempts ?? 0) : 0
      const path = `deliveries/${encodeURIComponent(id)}/${verb}`
      const changed = await call<Delivery>('POST', path).catch((error: unknown) => {
        // It was deleted or has ended, or its endpoint was paused, since the plan was made.
        if (!(error instanceof CallError) || (error.status !== 404 && error.status !== 422)) throw error
        refused++
      })
      if (changed) sent.set(changed.id, before)
    }
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return announceFailure({ ...error, message: `${done} ${sent.size} of ${total}. ${error.message}` })
  } finally {
    running.value = undefined
    clearSelection()
  }
  const what = `${done} ${deliveriesText(sent.size)}`
  const ids = [...sent.keys()].join(',')
  const view = ids === '' ? undefined : { text: 'View', run: () => go(link(['deliveries'], { ids })) }
  const ended = await attemptedWithNotice(sent, `${what}. Waiting for the responses.`, view)
  const outcome = sent.size > 0 ? `: ${outcomeOf(ended, sent.size)}` : ''
  const skipped = refused > 0 ? ` ${deliveriesText(refused)} could not be ${done.toLowerCase()}.` : ''
  const isDone = refused === 0 && ended.length === sent.size && ended.every(({ error }) => error === null)
  announce(`${what}${outcome}.${skipped}`, isDone ? 'done' : 'warning', view)
}

export const replay = (deliveries: readonly Delivery[]): Promise<void> => send(REPLAY, deliveries)

const endpointsOf = (of: readonly Delivery[]) => [...new Set(of.map(({ webhook_id: id }) => id))]

/** Returns the endpoints of deliveries, the first ones by name: `2 endpoints: a.example/hook, b.example/hook`. */
function endpointsText(of: readonly Delivery[], kind = ''): ComponentChildren {
  const [ids, shown] = [endpointsOf(of), endpointsOf(of).slice(0, 4)]
  const names = shown.map((id, at) => [at > 0 && ', ', <bdi key={id}>{endpointText(id)}</bdi>])
  const more = ids.length > shown.length && ` and ${ids.length - shown.length} more`
  return [count(ids.length, `${kind}endpoint`), ': ', names, more]
}

/** Sends deliveries again after confirmation, which offers to resume paused endpoints. @param kind What they are, before `delivery`. */
export async function askReplay({ send: of, paused, leftOut }: ReplayPlan, kind: string): Promise<void> {
  const how =
    of.length === 1 ? 'It is resent as a new delivery' : 'Each is resent as a new delivery, oldest first'
  let isResumed = of.length === 0
  const text = (
    <>
      {of.length > 0 && [how, ', to ', endpointsText(of), '. ']}
      {leftOut && `Can’t be resent: ${leftOut}.`}
      {paused.length > 0 && (
        <label class="check note">
          <input
            type="checkbox"
            defaultChecked={isResumed}
            onChange={({ currentTarget: { checked } }) => (isResumed = checked)}
          />
          <span>
            Resend {paused.length} more, and resume {endpointsText(paused, 'paused ')}
          </span>
        </label>
      )}
    </>
  )
  const title = `Resend ${deliveriesText(of.length || paused.length, kind)}?`
  if (!(await confirmed({ title, text, action: REPLAY.action, isDangerous: false }))) return
  for (const id of isResumed ? endpointsOf(paused) : []) {
    const endpoint = endpointById.peek().get(id)
    // If it was deleted, the list no longer has it, and the others are resent.
    if (endpoint && !(await resumeEndpoint(endpoint, 'quiet')) && endpointById.peek().has(id)) return
  }
  const all = [...of, ...(isResumed ? paused : [])]
  await replay(all.sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at)))
}

async function askRetry(of: readonly Delivery[]): Promise<void> {
  const title = `Retry ${deliveriesText(of.length, 'pending ')} now?`
  const whose = of.length === 1 ? 'the delivery' : 'each'
  const how = `The next attempt of ${whose} starts now instead of when it is due, to `
  const text = [how, endpointsText(of), '.']
  if (await confirmed({ title, text, action: RETRY.action, isDangerous: false })) await send(RETRY, of)
}

type SendItem = MenuItem & { readonly icon: IconName; readonly title?: string; readonly run: () => void }

/** What sends deliveries again, after confirmation: those that wait for a retry, and those of a plan. */
function sendItems(of: readonly Delivery[], plan: ReplayPlan, kind: string) {
  const waiting = waitingOf(of)
  const leftOut = plan.leftOut && `Can’t be resent: ${plan.leftOut}`
  const amount = leftOut === '' ? plan.total : `${plan.send.length} of ${plan.total}`
  const unavailable = plan.send.length + plan.paused.length === 0 ? leftOut : undefined
  const retry = { text: `Retry now (${waiting.length})`, icon: 'play', run: () => void askRetry(waiting) }
  const run = () => void askReplay(plan, `${kind} `)
  const resend = { text: `Resend ${kind} (${amount})`, icon: 'replay', title: leftOut, unavailable, run }
  return [...(waiting.length > 0 ? [retry] : []), ...(plan.total > 0 ? [resend] : [])] as SendItem[]
}

const SendButtons = ({ items }: { items: readonly SendItem[] }) => (
  <>
    {items.map(({ unavailable }) => unavailable && <span class="hint line">{unavailable}</span>)}
    {items.map(({ text, icon, title, unavailable, run }) => (
      <Button
        key={icon}
        class={`button ${icon}`}
        icon={icon}
        title={title}
        isOff={unavailable !== undefined}
        run={run}
      >
        {text}
      </Button>
    ))}
  </>
)

/** What is done to the listed deliveries. The selected ones have a bar of their own. */
export function BulkActions({ list }: { list: readonly Delivery[] }) {
  const progress = running.value
  if (progress) {
    return (
      <span class="bar muted" role="status">
        {progress.text} {progress.done} of {progress.total}
        <progress value={progress.done} max={progress.total} aria-label="Bulk action" />
      </span>
    )
  }
  if (list.length === 0) return null
  const plan = planReplayOfFailed(list, deliveryLog.list.value, isPaused)
  const sends = selectedOf(list).length > 0 ? [] : sendItems(list, plan, 'failed')
  const items: MenuItems = [
    // Those that are no buttons in a small window.
    ...sends,
    { text: `Select ${list.length} listed`, icon: 'check', run: () => selectAll(list) },
    { text: `Download ${list.length} listed as JSON`, icon: 'download', run: () => downloadList(list) },
  ]
  return (
    <div class="row bulk">
      <SendButtons items={sends} />
      <MenuButton label="More for the listed deliveries" class="button icon-only" items={() => items} />
    </div>
  )
}

/** What is done to the selected ones of the listed deliveries, over the end of their table. */
export function SelectionBar({ list }: { list: readonly Delivery[] }) {
  const chosen = selectedOf(list)
  if (chosen.length === 0 || running.value) return null
  return (
    <div class="selection-bar">
      <div class="row box" role="toolbar" aria-label="Selected deliveries">
        <Button icon="close" run={clearSelection}>
          Clear selection of {chosen.length}
        </Button>
        <SendButtons items={sendItems(chosen, planReplayOfAll(chosen, isPaused), 'selected')} />
      </div>
    </div>
  )
}

function downloadList(list: readonly Delivery[]): void {
  const now = serverNow.peek()
  const name = `deliveries${now === undefined ? '' : `-${new Date(now).toISOString().slice(0, 10)}`}.json`
  saveJson(list, name)
  announce(`Downloaded ${name}`, 'done')
}
