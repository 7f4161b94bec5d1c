import { z } from 'zod'
import { defineTool, READ_ONLY } from '../tool.ts'
import { markRespondents } from '../untrusted.ts'

/** Below the deadline of clients, which is a minute or more. */
const TIMEOUT_MAX_MS = 45_000

export const wait = defineTool({
  name: 'wait',
  group: 'local',
  description:
    'Wait until the local server has an API request, a delivery or a response that matches. At the timeout, the closest are described.',
  input: z.strictObject({
    for: z.enum(['request', 'delivery', 'response']),
    match: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('members to compare, such as {"status": "delivered"}'),
    timeout_ms: z.int().min(0).max(TIMEOUT_MAX_MS).default(5000),
  }),
  annotations: READ_ONLY,
  run: async ({ local }, given, { mcpReq }) =>
    markRespondents(await local.call('POST', '/wait', given, mcpReq.signal)),
})
