import { formsNamed } from '../command.ts'
import type { Context } from '../context.ts'
import type { Pen } from '../output/pens.ts'
import type { Column } from '../output/table.ts'
import { dueText, relativeTime, tookText, utcTime } from '../output/time.ts'
import type { RowDetails } from '../ui/live-details.ts'
import { type LiveRow, MAX_ROWS } from '../ui/live-model.ts'
import type { LiveColumn } from '../ui/live-table.ts'
import { mountLiveView } from '../ui/mount.tsx'
import { answeredPen } from './columns.ts'
import { noteOf, type ReceivedDelivery } from './received-delivery.ts'
import type { HandledDelivery } from './receiver.ts'
import type { ListenView, ListenViewOptions } from './view.ts'

/** Limit for the bodies of the deliveries that are kept for details and replay, in bytes. */
const KEPT_BYTES = 32 * 1024 * 1024

const COLUMNS: readonly LiveColumn[] = [
  { header: 'Time', width: 9 },
  { header: 'Form', width: 12, least: 7, drops: 2, dropsIfSame: 5 },
  { header: 'Status', width: 6, isToned: true },
  { header: 'Error', width: 14, drops: 3 },
  { header: 'Took', width: 6, align: 'right', drops: 4 },
  { header: 'Next', width: 9, align: 'right' },
  { header: 'Handler', width: 24, drops: 6 },
  { header: 'Response', short: 'Resp', width: 8, least: 5, align: 'right', drops: 1 },
  { header: 'Attempt', width: 7, align: 'right', drops: 8 },
  { header: 'Delivery', width: 26, drops: 9 },
  { header: 'Event', width: 18, drops: 10 },
  { header: 'Note', width: 20, drops: 7 },
]

/** Shows `listen` on a terminal: one row per delivery. */
export async function showListenView(context: Context, options: ListenViewOptions): Promise<ListenView> {
  let replays = 0
  const kept = new Map<string, [ReceivedDelivery, HandledDelivery]>()
  let bytes = 0
  const { title, forms, forwarding, resend, notes } = options
  const find = (key: string): [ReceivedDelivery, HandledDelivery] => {
    const found = kept.get(key)
    if (!found) throw new Error('this delivery is no longer in memory')
    return found
  }
  const { model, quit } = await mountLiveView(context, {
    title: [title, forms.length > 0 ? formsNamed(forms) : '', forwarding]
      .filter((text) => text !== '')
      .join(' · '),
    columns: COLUMNS,
    notes,
    async replay(key) {
      const [received, delivery] = find(key)
      if (!resend) return { message: 'cannot replay: there is no handler; start with --forward-to' }
      if (!received.verified)
        return { message: 'cannot replay: a delivery that failed verification is not forwarded' }
      const resent = await resend(received, delivery)
      if (!resent) return { message: `form ${received.form_id} has no handler` }
      replays += 1
      const copy = `replay ${replays}`
      keep(copy, resent.received, resent.delivery)
      model.put({ ...rowOf(resent.received, options), key: copy, delivery: null })
      return { message: resent.message, copy: { key: copy, of: received.delivery_id ?? key } }
    },
    text: async (key) => find(key)[1].body.toString(),
    details: async (key) =>
      detailsOf(...find(key), { local: () => context.runtime.clock.now(), server: options.now }),
  })
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
      const row = rowOf(received, options)
      keep(row.key, received, delivery)
      model.put(row)
    },
  }
}

/** Returns the row of a delivery. */
export function rowOf(
  received: ReceivedDelivery,
  { targetOf, now }: Pick<ListenViewOptions, 'targetOf' | 'now'>,
): LiveRow {
  const { number, answered, forwarded, problem, attempt, response_id, next_attempt_at: next } = received
  const key = `#${number}`
  const cells = [
    utcTime(received.received_at),
    received.form_id ?? '',
    String(answered),
    problem?.code ?? (forwarded?.reason ? 'unreachable' : answered < 300 ? '' : `http_${answered}`),
    forwarded ? tookText(forwarded.duration_ms) : '',
    // The next attempt has a row of its own.
    next === null ? '' : () => (Date.parse(next) > now() ? dueText(next, now()) : ''),
    targetOf(received.form_id) ?? '',
    response_id === 0 ? 'test' : String(response_id ?? ''),
    String(attempt ?? ''),
    received.delivery_id ?? '',
    received.event ?? '',
    // The details have the rest.
    problem?.message ?? noteOf({ ...received, next_attempt_at: null }),
  ]
  return {
    key,
    // Only of a verified request: a forged one must not change the counts of a delivery.
    delivery: (received.verified ? received.delivery_id : null) ?? key,
    cells,
    tone: received.verified && answered < 300 ? 'good' : 'bad',
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
  const facts = (): [label: string, value: string | number | null | undefined, pen?: Pen | undefined][] => [
    ['Received', `${relativeTime(at, now.local())} (${at})`],
    ['Delivery', received.delivery_id],
    ['Event', received.event],
    ['Form', received.form_id],
    ['Response', received.response_id],
    ['Attempt', received.attempt],
    ['Verified', received.verified ? 'yes' : `no (${problem?.code ?? 'not verified'})`],
    ['Problem', problem && `${problem.message} ${problem.hint}`],
    ['Status', received.answered, answeredPen(received)],
    [
      'Handler',
      forwarded && (forwarded.reason ?? `${forwarded.status} after ${Math.round(forwarded.duration_ms)} ms`),
    ],
    ['Response body', responseBody === '' ? undefined : responseBody],
    ['Advice', received.advice],
    ['Next attempt', next && `${dueText(next, now.server())} (${next}${clock()})`],
    ['Given up', again && `to send it again, run: ${again}`],
    ['Recorded', received.recorded],
  ]
  return {
    facts: () =>
      facts().flatMap(([header, value, pen]): Column<undefined>[] =>
        value === null || value === undefined ? [] : [{ header, text: () => String(value), pen: () => pen }],
      ),
    texts: rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : [])),
    body: payload === null ? { text: body.toString() } : { json: payload },
  }
}
