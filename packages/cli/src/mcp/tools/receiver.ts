import type { Receiver, ReceiverDelivery } from '@formwire/contract/control'
import * as z from 'zod'
import { invalidArgument } from '../failures.ts'
import { pageOf } from '../result.ts'
import { defineTool, PAGING } from '../tool.ts'
import { markStrangers } from '../untrusted.ts'

export const receiver = defineTool({
  name: 'receiver',
  group: 'local',
  description:
    'Mock webhook receivers on this machine, scripted to fail: one step per request, then 200. received lists what arrived, newest first, and whether the signature was valid.',
  input: z.strictObject({
    action: z.enum(['start', 'script', 'received', 'list', 'stop']),
    receiver: z.int().min(1).optional().describe('id'),
    script: z
      .array(z.union([z.string().max(60), z.int(), z.record(z.string(), z.unknown())]))
      .max(1000)
      .optional()
      .describe(
        '500, "timeout", "reset", "garbage", "redirect", "slow(250)" or {status, headers, body, delay_ms}',
      ),
    secret: z.string().max(1000).optional().describe('verifies signatures'),
    ...PAGING,
  }),
  takenBy: {
    receiver: ['received', 'script', 'stop'],
    script: ['script', 'start'],
    secret: ['script', 'start'],
    cursor: ['list', 'received'],
  },
  async run({ local }, { action, receiver: id, script, secret, cursor, limit }) {
    const settings = { ...(script && { script }), ...(secret === undefined ? {} : { secret }) }
    if (action === 'start') return await local.call('POST', '/receivers', settings)
    if (action === 'list') {
      const receivers = await local.call<Receiver[]>('GET', '/receivers')
      return pageOf(receivers, ({ id }) => id, { cursor, limit })
    }
    if (id === undefined) throw invalidArgument('receiver', `${action} requires it`)
    const path = `/receivers/${id}`
    if (action === 'script') return await local.call('PUT', path, settings)
    if (action === 'stop') return await local.call('DELETE', path)
    const received = await local.call<ReceiverDelivery[]>('GET', `${path}/deliveries`)
    const rows = received.map(({ body_base64, headers, payload, ...rest }, index) => ({
      number: index + 1,
      ...rest,
      content_type: headers['content-type'] ?? null,
      bytes: Buffer.from(body_base64, 'base64').length,
      payload: markStrangers(payload),
    }))
    return pageOf(rows.reverse(), ({ number }) => number, { cursor, limit })
  },
})
