/** Runs what docs/how-to/rehearse.md shows of rehearsals in process. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import {
  type RehearsalEnvironment,
  rehearse,
  type Schedule,
  schedules,
} from '@formwire/reference-server/testing'
import { createReceiver } from '@formwire/webhook-verify/node'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blocksOf } from '../../scripts/docs/markdown.ts'

/** Takes the place of a database: what it has outlives restarts. */
const tables = new Map<string, Set<number>>()

function tableOf({ directory }: RehearsalEnvironment): Set<number> {
  const table = tables.get(directory) ?? new Set()
  tables.set(directory, table)
  return table
}

async function start(environment: RehearsalEnvironment) {
  const table = tableOf(environment)
  const receive = createReceiver({
    secret: environment.webhookSecret,
    now: () => environment.clock.now(),
    on: {
      'response.submitted': ({ response }) => {
        table.add(response.id)
      },
    },
  })
  const server = createServer(receive)
  await new Promise<void>((resolve) => server.listen(environment.port, '127.0.0.1', resolve))
  return {
    kill() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const receiver = { webhook: '/webhooks', start, handled: tableOf }

test('stores each response once', async () => {
  const { failure } = await rehearse({ ...receiver, runs: 10 })
  expect(failure).toBeNull()
}, 60_000)

test('stores each response once when deliveries are replayed', async () => {
  const replays: fc.Arbitrary<Schedule> = schedules(fc, { responses: 5, kinds: ['replay'] })
  const property = fc.asyncProperty(replays, async (schedule) => {
    const { failure } = await rehearse({ ...receiver, schedule })
    expect(failure).toBeNull()
  })
  await fc.assert(property, { numRuns: 5 })
}, 60_000)

test('is the code of the page', () => {
  const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')
  const shown = blocksOf(read('../../docs/how-to/rehearse.md')).filter(({ language }) => language === 'ts')
  expect(shown).toHaveLength(1)
  for (const { code } of shown)
    expect(read('rehearse.isolated.test.ts')).toContain(code.replace(/^(?:import .*\n|\n)+/, ''))
})
