import * as z from 'zod'
import { defineTool, LOCAL } from '../tool.ts'

export const clock = defineTool({
  name: 'clock',
  group: 'local',
  description:
    'Read the clock of the local server, or advance a manual one. Retries, signatures and limits follow it; due deliveries are sent before it returns.',
  input: z.strictObject({ advance: z.string().max(40).optional().describe('such as 30s, 2h or 1h30m') }),
  annotations: LOCAL,
  run: async ({ local }, { advance }, { mcpReq }) =>
    advance === undefined
      ? await local.call('GET', '/clock')
      : await local.call('POST', '/clock/advance', { by: advance }, mcpReq.signal),
})
