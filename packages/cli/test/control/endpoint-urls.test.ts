import { expect, it } from 'vitest'
import type { ControlClient } from '../../src/control/client.ts'
import { EndpointUrls } from '../../src/control/endpoint-urls.ts'
import { EXIT } from '../../src/exit.ts'
import { Failure } from '../../src/failure.ts'

const ENDPOINT = { form_id: 'abcdefghijkl', webhook_id: 7 }

it.each([
  ['reads a URL again after an outage', EXIT.unreachable, 'https://example.test/hook', 2],
  ['asks once for an endpoint that was deleted', EXIT.notFound, '', 1],
] as const)('%s', async (_title, exitCode, expected, expectedCalls) => {
  let calls = 0
  const webhook = async (): Promise<{ url: string }> => {
    calls += 1
    if (calls === 1) throw new Failure('failed', { exitCode, code: 'failed' })
    return { url: 'https://example.test/hook' }
  }
  const urls = new EndpointUrls({ webhook } as unknown as ControlClient)
  await urls.read(ENDPOINT)
  expect(urls.of(ENDPOINT as never)).toBe('')
  for (const _again of [1, 2]) await urls.read(ENDPOINT)
  expect([urls.of(ENDPOINT as never), calls]).toEqual([expected, expectedCalls])
})
