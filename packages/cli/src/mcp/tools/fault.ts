import type { FaultInForce } from '@formwire/contract/control'
import * as z from 'zod'
import { invalidArgument } from '../failures.ts'
import { pageOf } from '../result.ts'
import { defineTool, PAGING } from '../tool.ts'

export const fault = defineTool({
  name: 'fault',
  group: 'local',
  description:
    'Make API requests to the local server fail: an error status, a delay, a reset connection or a broken body.',
  input: z.strictObject({
    action: z.enum(['inject', 'list', 'remove', 'clear']),
    fault: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        '{method, path: "/api/v1/forms/*", times, status, retry_after, delay_ms, reset, truncate, body}',
      ),
    id: z.int().min(1).optional().describe('of the fault to remove'),
    ...PAGING,
  }),
  takenBy: { fault: ['inject'], id: ['remove'], cursor: ['list'] },
  async run({ local }, { action, fault: given, id, cursor, limit }) {
    switch (action) {
      case 'inject':
        if (given === undefined) throw invalidArgument('fault', 'inject requires it')
        return await local.call('POST', '/faults', given)
      case 'list':
        return pageOf(await local.call<FaultInForce[]>('GET', '/faults'), ({ id }) => id, {
          cursor,
          limit,
        })
      case 'remove':
        if (id === undefined) throw invalidArgument('id', 'remove requires it')
        return await local.call('DELETE', `/faults/${id}`)
      case 'clear':
        return await local.call('DELETE', '/faults')
    }
  },
})
