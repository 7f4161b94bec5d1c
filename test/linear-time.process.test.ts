import { createMemoryStore } from '@formwire/webhook-verify/dedupe'
import { expect, it, onTestFinished } from 'vitest'
import { prepareWidths, wrap } from '../packages/cli/src/output/width.ts'
import { csvLine } from '../packages/internal/src/csv.ts'
import { createReferenceServer } from '../packages/reference-server/src/index.ts'
import { startForm } from '../packages/reference-server/test/public-form/helpers.ts'
import { parseInstant } from '../packages/sdk/src/polling/instant.ts'
import { growth, STEEP } from './support/growth.ts'

const CHARACTERS = [6_250, 100_000] as const

it.each([
  ['a word', '你好'],
  ['words', '你 好 '],
])('wraps %s of characters that are not Latin in linear time', async (_name, text) => {
  await prepareWidths(['你'])
  const work = (size: number) => wrap(text.repeat(size / text.length), 80)
  expect(await growth(work, CHARACTERS)).toBeLessThan(STEEP)
})

it('breaks a long word in linear time', async () => {
  expect(wrap('a'.repeat(1_048_576), 80)).toHaveLength(13_108)
  expect(await growth((size) => wrap('a'.repeat(size), 80), [62_500, 1_000_000])).toBeLessThan(STEEP)
})

it.each(['\n', '\t', ' ', '"', '; ', '\n-'])('writes a cell of many %j in linear time', async (text) => {
  expect(await growth((size) => csvLine([text.repeat(size)]), CHARACTERS)).toBeLessThan(STEEP)
})

it('[POLL-02] reads a fraction of zeros and a one in linear time', async () => {
  const work = (size: number): void => {
    const fraction = `${'0'.repeat(size)}1`
    expect(parseInstant(`2026-11-21T09:30:00.${fraction}Z`)?.fraction === fraction).toBe(true)
  }
  expect(await growth(work, CHARACTERS)).toBeLessThan(STEEP)
})

it('[ERR-01] rejects a number of many digits without testing each prefix', async () => {
  const { post } = await startForm([{ id: 'n', type: 'number', title: 'N' }])
  const work = async (size: number) =>
    expect((await post('', [['q[n]', `${'1'.repeat(size)}x`]])).status).toBe(422)
  expect(await growth(work, [4_096, 65_536])).toBeLessThan(STEEP)
})

it('[AUTH-02] masks keys in the journal in time linear in the length of the text', async () => {
  const server = createReferenceServer({ clock: 'manual', limits: 'off' })
  onTestFinished(() => server.close())
  const secrets = ['whsec', 'w%25', ':%2f%2f', '%3a%252f%252f', ':\\\\/', '@']
  const work = async (size: number) => {
    for (const text of ['s', 's%25', '%25', 'svc_', 'svc%5f%25', ...secrets]) {
      await server.fetch(`http://formwire.test/api/v1/me?${text.repeat(size / text.length)}`)
    }
    // One character encoded repeatedly. Shorter: one pass per encoding would take minutes.
    await server.fetch(`http://formwire.test/api/v1/me?svc_a%${'25'.repeat(size / 16)}41`)
  }
  expect(await growth(work, [65_536, 1_048_576], 80)).toBeLessThan(80)
})

it('claims as fast in a memory store of 200,000 entries as in one of 200', async () => {
  const stores = new Map<number, ReturnType<typeof createMemoryStore>>()
  for (const size of [200, 200_000]) {
    const store = createMemoryStore(() => 0)
    for (let index = 0; index < size; index += 1) await store.claim([`key:${index}`], 'owner', 1000)
    stores.set(size, store)
  }
  const work = async (size: number) => {
    const store = stores.get(size)
    for (let index = 0; index < 20_000; index += 1) await store?.claim([`key:${index % size}`], 'other', 1000)
  }
  // A store that iterates over its entries would be 1,000 times slower.
  expect(await growth(work, [200, 200_000], 100)).toBeLessThan(100)
})
