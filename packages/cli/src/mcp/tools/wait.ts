import type { ClockState } from '@formwire/contract/control'
import * as z from 'zod'
import { Failure } from '../../failure.ts'
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
  async run({ local }, given, { mcpReq }) {
    try {
      return markRespondents(await local.call('POST', '/wait', given, mcpReq.signal))
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'timeout')) throw error
      const { mode } = (await local.call('GET', '/clock')) as ClockState
      const hint = mode === 'manual' ? 'the clock is manual: advance it with the tool clock' : undefined
      const { code, details, exitCode } = error
      throw new Failure(`no ${given.for} matched within ${given.timeout_ms} ms`, {
        code,
        details,
        exitCode,
        hint,
      })
    }
  },
})
