import { stat } from 'node:fs/promises'
import type { ReferenceServerOptions, Seed } from '@formwire/reference-server'
import * as z from 'zod'
import { readJsonInput } from '../../input/read-input.ts'
import { invalidArgument } from '../failures.ts'
import type { Session } from '../session.ts'
import { defineTool } from '../tool.ts'

/** Largest seed that is read, in bytes. */
const SEED_MAX_BYTES = 64 * 1_048_576

const INPUT = z.strictObject({
  action: z.enum(['start', 'reset', 'stop', 'status']),
  seed: z.string().max(1000).optional().describe('empty (default), demo, or a seed FILE.json'),
  clock: z.enum(['manual', 'real']).optional().describe('manual (default) moves only by the tool clock'),
  now: z.string().max(40).optional().describe('start of a manual clock, ISO 8601'),
  unspecified: z
    .record(z.string().max(60), z.string().max(60))
    .optional()
    .describe('choices where the service document is silent; see docs'),
})

export const server = defineTool({
  name: 'server',
  group: 'local',
  description:
    'Start, reset, stop or describe the local forms service. start returns its URL and keys, for the program under test. reset restores the seed.',
  input: INPUT,
  takenBy: { seed: ['start'], clock: ['start'], now: ['start'], unspecified: ['start'] },
  async run(session, given) {
    const { local } = session
    switch (given.action) {
      case 'start':
        return await local.start(await serverOptions(session, given))
      case 'stop':
        return { stopped: await local.stop() }
      case 'reset':
        await local.call('POST', '/reset')
        local.secrets.clear()
        return await local.info()
      case 'status':
        return local.isRunning ? await local.info() : { running: false }
    }
  },
})

async function serverOptions(
  { context }: Session,
  { seed = 'empty', clock = 'manual', now, unspecified }: z.output<typeof INPUT>,
): Promise<ReferenceServerOptions> {
  return {
    // What is in a seed must not leave this machine.
    addressRules: 'loopback',
    clock,
    seed: seed === 'empty' || seed === 'demo' ? seed : await seedFrom(seed),
    now,
    unspecified: unspecified as never,
    report: (cause) => context.output.announce('server_error', String(cause)),
  }

  async function seedFrom(path: string): Promise<Seed> {
    // Never stdin: it belongs to the client.
    if (path === '-') throw invalidArgument('seed', 'it must be empty, demo or a file')
    // Reading says what is wrong.
    const found = await stat(path).catch(() => undefined)
    // A pipe may never end, and may be the stream of the client.
    if (found?.isFile() === false) throw invalidArgument('seed', 'it must be a regular file')
    return (await readJsonInput(context.runtime, path, SEED_MAX_BYTES)).value as Seed
  }
}
