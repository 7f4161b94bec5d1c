import type { Context } from '../context.ts'
import { jsonLines } from '../output/json-lines.ts'
import type { Pens } from '../output/pens.ts'
import { type Column, cardLines } from '../output/table.ts'
import { safeIndented, safeLine } from '../output/text-safety.ts'
import { dueText, tookText, utcTime } from '../output/time.ts'
import { wrap } from '../output/width.ts'
import { type Details, type LiveRow, MAX_ROWS } from '../ui/live-model.ts'
import type { LiveColumn } from '../ui/live-table.ts'
import { mountLiveView } from '../ui/mount.tsx'
import { noteOf, type ReceivedDelivery } from './received-delivery.ts'
import type { RawDelivery } from './receiver.ts'
import type { ListenView, ListenViewOptions } from './view.ts'

/** Limit for the bodies of the deliveries that are kept for details and replay, in bytes. */
const KEPT_BYTES = 32 * 1024 * 1024

const COLUMNS: readonly LiveColumn[] = [
  { header: 'Time', width: 9 },
  { header: 'Form', width: 12, drops: 2 },
  { header: 'Status', width: 6, isToned: true },
  { header: 'Error', width: 14, drops: 3 },
  { header: 'Took', width: 6, align: 'right', drops: 1 },
  { header: 'Next', width: 9, align: 'right' },
  { header: 'Handler', width: 24, drops: 4 },
  { header: 'Response', width: 8, align: 'right', drops: 5 },
  { header: 'Attempt', width: 7, align: 'right', drops: 6 },
  { header: 'Delivery', width: 26, drops: 7 },
  { header: 'Event', width: 18, drops: 8 },
  { header: 'Note', width: 20 },
]

/** Shows `listen` on a terminal: one row per delivery. */
export async function showListenView(context: Context, options: ListenViewOptions): Promise<ListenView> {
  const kept = new Map<string, [ReceivedDelivery, RawDelivery]>()
  let bytes = 0
  const { title, status, resend, notes } = options
  const find = (key: string): [ReceivedDelivery, RawDelivery] => {
    const found = kept.get(key)
    if (!found) throw new Error('this delivery is no longer in memory')
    return found
  }
  const { model, quit } = await mountLiveView(context, {
    title: `${title} · ${status}`,
    columns: COLUMNS,
    async replay(key) {
      const [received, delivery] = find(key)
      if (!resend) return 'cannot replay: there is no handler; start with --forward-to'
      if (!received.verified) return 'cannot replay: a delivery that failed verification is not forwarded'
      return await resend(received, delivery)
    },
    text: async (key) => find(key)[1].body.toString(),
    details: async (key) => detailsOf(...find(key), context.output.pens),
  })
  for (const note of notes) model.remark(note)
  return {
    quit,
    show(received, delivery) {
      const row = rowOf(received, options)
      kept.set(row.key, [received, delivery])
      bytes += delivery.body.length
      for (const [oldest, [, { body }]] of kept) {
        if (kept.size === 1 || (kept.size <= MAX_ROWS && bytes <= KEPT_BYTES)) break
        kept.delete(oldest)
        bytes -= body.length
      }
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
    key: `#${number}`,
    cells: cells.map((cell) => (typeof cell === 'string' ? safeLine(cell) : cell)),
    tone: received.verified && answered < 300 ? 'good' : 'bad',
  }
}

function detailsOf(received: ReceivedDelivery, { rawHeaders, body }: RawDelivery, pens: Pens): Details {
  const { problem, forwarded, parked, payload } = received
  const facts: [label: string, value: string | number | null | undefined][] = [
    ['Received', received.received_at],
    ['Delivery', received.delivery_id],
    ['Event', received.event],
    ['Form', received.form_id],
    ['Response', received.response_id],
    ['Attempt', received.attempt],
    ['Verified', received.verified ? 'yes' : `no (${problem?.code ?? 'not verified'})`],
    ['Problem', problem && `${problem.message} ${problem.hint}`],
    ['Status', received.answered],
    [
      'Handler',
      forwarded && (forwarded.reason ?? `${forwarded.status} after ${Math.round(forwarded.duration_ms)} ms`),
    ],
    ['Advice', received.advice],
    ['Next attempt', received.next_attempt_at],
    ['Parked', parked && `to send it again, run: ${parked.command}`],
    ['Recorded', received.recorded],
  ]
  const fields = facts.flatMap(([header, value]): Column<unknown>[] =>
    value === null || value === undefined ? [] : [{ header, text: () => String(value) }],
  )
  const headers = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
  const wrapped = (lines: readonly string[], width: number): string[] =>
    lines.flatMap((line) => wrap(safeIndented(line), width))
  return (width) => [
    ...cardLines([received], fields, { width, pens }),
    '',
    ...wrapped(headers, width),
    '',
    ...(payload === null ? wrapped(body.toString().split('\n'), width) : jsonLines(payload, width, pens)),
  ]
}
