import { expect, it } from 'vitest'
import type { ControlClient } from '../../src/control/client.ts'
import { Endpoints } from '../../src/control/endpoints.ts'
import { EXIT } from '../../src/exit.ts'
import { Failure } from '../../src/failure.ts'

const ENDPOINT = { webhook_id: 7 }

it.each([
  ['reads a URL again after an outage', ['outage', [7], [7]], 'https://example.test/7', 2],
  ['reads all URLs at once', [[7, 8]], 'https://example.test/7', 1],
  ['asks once for an endpoint that was deleted', [[8], [8]], '', 1],
] as const)('%s', async (_title, lists, expected, expectedCalls) => {
  let calls = 0
  const control = {
    async endpoints() {
      const ids = lists[calls]
      calls += 1
      if (ids === 'outage') throw new Failure('failed', { exitCode: EXIT.unreachable, code: 'failed' })
      return ids?.map((id) => ({ id, url: `https://example.test/${id}` }))
    },
  }
  const endpoints = new Endpoints(control as unknown as ControlClient)
  for (const _again of [1, 2, 3]) await endpoints.read(ENDPOINT)
  expect([endpoints.urlOf(ENDPOINT), calls]).toEqual([expected, expectedCalls])
})
