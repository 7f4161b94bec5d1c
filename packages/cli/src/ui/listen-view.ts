import type { Context } from '../context.ts'
import type { RawDelivery } from '../listen/receiver.ts'
import { type Reception, remarkOf } from '../listen/reception.ts'
import { sendReplay } from '../listen/replay.ts'
import type { ListenView } from '../listen/run.ts'
import { safeLine } from '../output/text-safety.ts'
import type { LiveRow } from './live-model.ts'
import { mountLiveView } from './mount.tsx'

/** The latest deliveries whose bytes are kept for details and replay. */
const KEPT = 200

/** What the live view of `listen` needs to send a delivery to the handler once more. */
export interface ListenViewOptions {
  url: string
  forwardTo: string | undefined
  secret: string
}

/** `listen` on a terminal: one row a delivery. */
export function showListenView(context: Context, options: ListenViewOptions): ListenView {
  const kept = new Map<string, [Reception, RawDelivery]>()
  const { forwardTo, secret } = options
  const { model, quit } = mountLiveView(context, `listening on ${options.url}`, {
    async replay(key) {
      const [reception, delivery] = kept.get(key) ?? []
      if (!reception || !delivery) return 'it is no longer kept'
      if (forwardTo === undefined) return 'there is no --forward-to to send it to'
      if (!reception.verified) return 'what did not verify is not sent on'
      const result = await sendReplay(
        { body: delivery.body, event: reception.event },
        forwardTo,
        secret,
        context.runtime.clock,
      )
      return `the handler answered ${result.status} after ${result.duration_ms} ms`
    },
    async details(key) {
      const [reception, delivery] = kept.get(key) ?? []
      return reception && delivery ? detailLines(reception, delivery) : ['it is no longer kept']
    },
  })
  model.status(forwardTo === undefined ? 'waiting for deliveries' : `forwarding to ${forwardTo}`)
  return {
    quit,
    show(reception, delivery) {
      const row = rowOf(reception)
      kept.set(row.key, [reception, delivery])
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT) break
        kept.delete(oldest)
      }
      model.put(row)
    },
  }
}

function rowOf(reception: Reception): LiveRow {
  const good = reception.verified && reception.answered < 300
  const cells = [
    reception.received_at.slice(11, 19),
    reception.verified ? 'verified' : (reception.problem?.code ?? 'refused'),
    `→ ${reception.answered}`,
    reception.attempt === null ? '' : `attempt ${reception.attempt}`,
    reception.event ?? '',
    reception.response_id === null ? '' : `response ${reception.response_id}`,
    reception.delivery_id ?? '',
    remarkOf(reception),
  ]
  return {
    key: `#${reception.number}`,
    line: safeLine(cells.filter((cell) => cell !== '').join('  ')),
    tone: good ? 'good' : reception.verified ? 'waiting' : 'bad',
  }
}

function detailLines(reception: Reception, delivery: RawDelivery): string[] {
  const { payload, ...facts } = reception
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    value === null
      ? []
      : [`${name.padEnd(16)}  ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`],
  )
  const body = payload === null ? delivery.body.toString() : JSON.stringify(payload, null, 2)
  return [...lines, '', ...body.split('\n')].map((line) => line.replace(/^( *).*/, '$1') + safeLine(line))
}
