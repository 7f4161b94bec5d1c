import type { Context } from '../context.ts'
import { safeIndented, safeLine } from '../output/text-safety.ts'
import { utcTime } from '../output/time.ts'
import type { LiveRow } from '../ui/live-model.ts'
import { mountLiveView } from '../ui/mount.ts'
import { noteOf, type ReceivedDelivery } from './received-delivery.ts'
import type { RawDelivery } from './receiver.ts'
import type { ListenView, ListenViewOptions } from './view.ts'

/** Latest deliveries kept in memory for details and replay: number, and bytes of their bodies. */
const KEPT = 200
const KEPT_BYTES = 32 * 1024 * 1024

/** Shows `listen` on a terminal: one row per delivery. */
export function showListenView(context: Context, options: ListenViewOptions): ListenView {
  const kept = new Map<string, [ReceivedDelivery, RawDelivery]>()
  let bytes = 0
  const { title, status, resend } = options
  const { model, quit } = mountLiveView(context, title, {
    async replay(key) {
      const [received, delivery] = kept.get(key) ?? []
      if (!received || !delivery) return 'no longer in memory'
      if (!resend) return 'replay requires --forward-to'
      if (!received.verified) return 'a delivery that failed verification is not forwarded'
      return await resend(received, delivery)
    },
    async text(key) {
      return kept.get(key)?.[1].body.toString()
    },
    async details(key) {
      const [received, delivery] = kept.get(key) ?? []
      return received && delivery ? detailLines(received, delivery) : ['no longer in memory']
    },
  })
  model.status(status)
  return {
    quit,
    show(received, delivery) {
      const row = rowOf(received)
      kept.set(row.key, [received, delivery])
      bytes += delivery.body.length
      for (const [oldest, [, { body }]] of kept) {
        if (kept.size === 1 || (kept.size <= KEPT && bytes <= KEPT_BYTES)) break
        kept.delete(oldest)
        bytes -= body.length
      }
      model.put(row)
    },
  }
}

/** Returns the row of a delivery. What is wrong comes before what a narrow terminal may cut off. */
export function rowOf(received: ReceivedDelivery): LiveRow {
  const good = received.verified && received.answered < 300
  // The details have the rest, which does not fit beside the other cells.
  const note = received.problem?.message ?? noteOf(received)
  const cells = [
    utcTime(received.received_at),
    received.verified ? 'verified' : 'refused ',
    `→ ${received.answered}`,
    received.event ?? '',
    received.response_id === null ? '' : `response ${received.response_id}`,
    note,
    received.attempt === null ? '' : `attempt ${received.attempt}`,
    received.delivery_id ?? '',
  ]
  return {
    key: `#${received.number}`,
    line: safeLine(cells.filter((cell) => cell !== '').join('  ')),
    tone: good ? 'good' : received.verified ? 'pending' : 'bad',
  }
}

function detailLines(received: ReceivedDelivery, { rawHeaders, body }: RawDelivery): string[] {
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
  const lines = facts.flatMap(([label, value]) =>
    value === null || value === undefined ? [] : [`${label.padEnd(12)}  ${value}`],
  )
  const headers = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
  const text = payload === null ? body.toString() : JSON.stringify(payload, null, 2)
  return [...lines, '', ...headers, '', ...text.split('\n')].map(safeIndented)
}
