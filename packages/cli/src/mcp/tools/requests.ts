import type { JournalEntry } from '@formwire/contract/control'
import * as z from 'zod'
import { pageOf } from '../result.ts'
import { defineTool, PAGING, READ_ONLY } from '../tool.ts'

export const requests = defineTool({
  name: 'requests',
  group: 'local',
  description:
    'API requests that the local server received, newest first: what the program under test has called.',
  input: z.strictObject({
    method: z.string().max(10).optional(),
    path: z.string().max(500).optional().describe('part of the path'),
    status: z.int().min(100).max(599).optional(),
    ...PAGING,
  }),
  annotations: READ_ONLY,
  async run({ local }, { method, path = '', status, cursor, limit }) {
    const entries = await local.call<JournalEntry[]>('GET', '/requests')
    const chosen = entries.filter(
      (entry) =>
        (method === undefined || entry.method === method.toUpperCase()) &&
        entry.path.includes(path) &&
        (status === undefined || entry.status === status),
    )
    const rows = chosen.map(({ key_id, address, request_id, ...row }) => row)
    return pageOf(rows, ({ number }) => number, { cursor, limit })
  },
})
