import { randomUUID } from 'node:crypto'
import { member } from '../columns/members.ts'
import { formsNamed } from '../command.ts'
import type { Context } from '../context.ts'
import type { Column, LiveColumn } from '../output/table.ts'
import { dueText, relativeTime } from '../output/time.ts'
import type { RowDetails } from '../ui/live-details.ts'
import { cellsOf, type LiveRow, MAX_ROWS } from '../ui/live-model.ts'
import { mountLiveView } from '../ui/mount.tsx'
import { ANSWERED, liveReceivedColumns } from './columns.ts'
import { type HandledDelivery, headersOf } from './delivery.ts'
import type { ReceivedDelivery } from './received-delivery.ts'
import type { ListenView, ListenViewOptions } from './view.ts'

/** Limit for the bodies of the deliveries that are kept for details and replay, in bytes. */
const KEPT_BYTES = 32 * 1024 * 1024

/** Shows `listen` on a terminal: one row per delivery. */
export async function showListenView(context: Context, options: ListenViewOptions): Promise<ListenView> {
  let replays = 0
  const kept = new Map<string, [ReceivedDelivery, HandledDelivery]>()
  let bytes = 0
  const { title, forms, forwarding, handler, secret, notes } = options
  const columns = liveReceivedColumns(options.now, options.targetOf)
  const find = (key: string): [ReceivedDelivery, HandledDelivery] => {
    const found = kept.get(key)
    if (!found) throw new Error('this delivery is no longer in memory')
    return found
  }
  const { model, quit } = await mountLiveView(context, {
    title: [title, forms.length > 0 ? formsNamed(forms) : ''].filter((text) => text !== '').join(' · '),
    nouns: ['delivery', 'deliveries'],
    columns,
    notes,
    async replay(key) {
      const [received, delivery] = find(key)
      if (handler.targets.none)
        return { message: 'cannot replay: there is no handler; start with --forward-to' }
      if (!received.verified)
        return { message: 'cannot replay: a delivery that failed verification is not forwarded' }
      const { number, event, form_id, response_id, payload } = received
      const again = { number, event, form_id, response_id, payload, delivery_id: randomUUID() }
      const resent = await handler.deliver({ ...again, body: delivery.body }, secret, false)
      if (!resent.forwarded) return { message: `form ${form_id} has no handler` }
      const { reason, status, durationMs } = resent.forwarded
      const message = reason ?? `the handler responded with ${status} after ${Math.round(durationMs)} ms`
      replays += 1
      const copy = `replay ${replays}`
      keep(copy, resent.received, resent.delivery)
      model.put({ ...rowOf(resent.received, columns), key: copy, delivery: null })
      return { message, copy: { key: copy, of: received.delivery_id ?? key } }
    },
    text: async (key) => find(key)[1].body.toString(),
    details: async (key) =>
      detailsOf(...find(key), { local: () => context.runtime.clock.now(), server: options.now }),
  })
  // Where deliveries go has a line of its own if it does not fit beside their number.
  model.show({ health: forwarding })
  function keep(key: string, received: ReceivedDelivery, delivery: HandledDelivery): void {
    kept.set(key, [received, delivery])
    bytes += delivery.body.length
    for (const [oldest, [, { body }]] of kept) {
      if (kept.size === 1 || (kept.size <= MAX_ROWS && bytes <= KEPT_BYTES)) break
      kept.delete(oldest)
      bytes -= body.length
    }
  }
  return {
    quit,
    show(received, delivery) {
      const row = rowOf(received, columns)
      keep(row.key, received, delivery)
      model.put(row)
    },
  }
}

/** Returns the row of a delivery. */
export function rowOf(received: ReceivedDelivery, columns: readonly LiveColumn<ReceivedDelivery>[]): LiveRow {
  const { number, verified, delivery_id } = received
  const key = `#${number}`
  return {
    key,
    // Only of a verified request: a forged one must not change the counts of a delivery.
    delivery: (verified ? delivery_id : null) ?? key,
    cells: cellsOf(columns, received),
    tone: verified && received.answered < 300 ? 'good' : 'bad',
  }
}

/** Milliseconds by which the clock of the server may differ before the details name it. */
const SAME_CLOCK_MS = 5_000

/** Returns the details of a delivery. It is received by the local clock, and attempted again by that of the server. */
export function detailsOf(
  received: ReceivedDelivery,
  { rawHeaders, body, responseBody }: Pick<HandledDelivery, 'rawHeaders' | 'body' | 'responseBody'>,
  now: { local(): number; server(): number },
): RowDetails {
  const { problem, forwarded, send_again: again, payload, received_at: at, next_attempt_at: next } = received
  const clock = (): string =>
    Math.abs(now.server() - now.local()) > SAME_CLOCK_MS ? " by the server's clock" : ''
  const fact = (header: string, value: string | null | undefined): Column<ReceivedDelivery> => ({
    header,
    text: () => value ?? '',
  })
  const facts = (): readonly Column<ReceivedDelivery>[] => [
    fact('Received', `${relativeTime(at, now.local())} (${at})`),
    member('delivery_id', 'Delivery'),
    member('event', 'Event'),
    member('form_id', 'Form'),
    member('response_id', 'Response'),
    member('attempt', 'Attempt'),
    fact('Verified', received.verified ? 'yes' : `no (${problem?.code ?? 'not verified'})`),
    fact('Problem', problem && `${problem.message} ${problem.hint}`),
    ANSWERED,
    fact(
      'Handler',
      forwarded && (forwarded.reason ?? `${forwarded.status} after ${Math.round(forwarded.duration_ms)} ms`),
    ),
    fact('Response body', responseBody),
    member('advice', 'Advice'),
    fact('Next attempt', next && `${dueText(next, now.server())} (${next}${clock()})`),
    fact('Given up', again && `to send it again, run: ${again}`),
    member('recorded', 'Recorded'),
  ]
  return {
    item: received,
    facts,
    texts: headersOf(rawHeaders).map((header) => header.join(': ')),
    body: payload === null ? { text: body.toString() } : { json: payload },
  }
}
