import type { Delivery } from '@formwire/contract/control'
import * as z from 'zod'
import { invalidArgument, missingEndpoint } from '../failures.ts'
import type { LocalServer } from '../local-server.ts'
import { pageOf } from '../result.ts'
import { defineTool, PAGING } from '../tool.ts'
import { markStrangers, untrusted } from '../untrusted.ts'

const CHANGES = ['replay', 'retry', 'cancel'] as const

export const deliveries = defineTool({
  name: 'deliveries',
  group: 'local',
  description:
    'Webhook deliveries of the local server, newest first; show has the body and all attempts. replay sends a copy, retry starts the next attempt now, cancel ends it.',
  input: z.strictObject({
    action: z.enum(['list', 'show', ...CHANGES]).default('list'),
    delivery: z.string().min(1).max(60).optional().describe('delivery id'),
    form: z.string().max(60).optional().describe('form id'),
    webhook: z.int().min(1).optional().describe('endpoint id'),
    status: z.enum(['pending', 'delivered', 'failed']).optional(),
    ...PAGING,
  }),
  takenBy: {
    delivery: ['show', ...CHANGES],
    form: ['list'],
    webhook: ['list'],
    status: ['list'],
    cursor: ['list'],
  },
  async run({ local }, { action, delivery: id, form, webhook, status, cursor, limit }) {
    if (action === 'list') {
      const { deliveries: all } = await local.catalog('deliveries')
      const chosen = all.filter(
        (one) =>
          (form === undefined || one.form_id === form) &&
          (webhook === undefined || one.webhook_id === webhook) &&
          (status === undefined || one.status === status),
      )
      // An empty list of something that does not exist would hide a misspelt id.
      if (chosen.length === 0) await requireNamed(local, form, webhook)
      return pageOf(chosen.map(rowOf), (row) => row.id, { cursor, limit })
    }
    if (id === undefined) throw invalidArgument('delivery', `${action} requires it`)
    const path = `/deliveries/${encodeURIComponent(id)}`
    if (action === 'show') return markStrangers(await local.call('GET', path))
    return rowOf(await local.call<Delivery>('POST', `${path}/${action}`))
  },
})

/** @throws Failure `not_found` for a form or an endpoint that does not exist */
async function requireNamed(
  local: LocalServer,
  form: string | undefined,
  webhook: number | undefined,
): Promise<void> {
  if (form !== undefined) {
    const path = `/forms/${encodeURIComponent(form)}`
    await local.call('GET', webhook === undefined ? path : `${path}/webhooks/${webhook}`)
  } else if (webhook !== undefined) {
    const { endpoints } = await local.catalog('endpoints')
    const ids = endpoints.map(({ id }) => String(id))
    if (!ids.includes(String(webhook))) throw missingEndpoint(webhook, ids)
  }
}

function rowOf({ payload: _, receiver_answer, ...row }: Delivery) {
  return { ...row, receiver_answer: receiver_answer === null ? null : untrusted(receiver_answer, 80) }
}
