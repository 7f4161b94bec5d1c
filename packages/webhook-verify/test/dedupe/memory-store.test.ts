import { createMemoryDedupe, createMemoryStore } from '@formwire/webhook-verify/dedupe'
import { describe, expect, it } from 'vitest'
import { submitted, verified } from './events.ts'

/** A store on a clock that the test sets. */
function open() {
  const clock = { ms: 0 }
  return { clock, store: createMemoryStore(() => clock.ms) }
}

describe('the memory store', () => {
  it('sweeps two entries per claimed key, from the oldest on', async () => {
    const { clock, store } = open()
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await store.claim([key], 'me', 10)
    clock.ms = 9
    await store.claim(['h'], 'me', 100)
    expect(store.size).toBe(8)
    const sizes: number[] = []
    clock.ms = 10
    for (const keys of [['i'], ['j', 'k'], ['l'], ['m']]) {
      await store.claim(keys, 'me', 100)
      sizes.push(store.size)
    }
    expect(sizes).toEqual([7, 5, 5, 6])
  })

  it('sweeps what was completed as well', async () => {
    const { clock, store } = open()
    await store.complete(['a', 'b'], 'me', 10)
    clock.ms = 10
    await store.claim(['c'], 'me', 10)
    expect(store.size).toBe(1)
  })

  it('keeps what has not expired through any number of sweeps', async () => {
    const { clock, store } = open()
    await store.claim(['kept'], 'me', 100)
    for (let index = 0; index < 50; index += 1) await store.claim([`${index}`], 'me', 1)
    clock.ms = 99
    for (let index = 50; index < 100; index += 1) await store.claim([`${index}`], 'me', 1)
    expect(await store.claim(['kept'], 'other', 100)).toBe('in_progress')
  })

  it('releases only what its owner holds', async () => {
    const { clock, store } = open()
    expect(await store.release(['a'], 'me')).toBe(false)
    await store.claim(['a'], 'me', 10)
    expect(await store.release(['a'], 'other')).toBe(false)
    expect(await store.release(['a', 'b'], 'me')).toBe(false)
    expect(await store.claim(['a'], 'other', 10)).toBe('claimed')
    clock.ms = 10
    expect(await store.release(['a'], 'other')).toBe(false)
  })

  it('completes for as long as asked, also what has expired, but not what another owner holds', async () => {
    const { clock, store } = open()
    expect(await store.complete(['a'], 'me', 10)).toBe(true)
    clock.ms = 9
    expect(await store.claim(['a'], 'me', 5)).toBe('completed')
    clock.ms = 10
    expect(await store.claim(['a', 'b'], 'other', 5)).toBe('claimed')
    expect(await store.complete(['a', 'c'], 'me', 10)).toBe(false)
    expect([await store.claim(['a'], 'me', 5), await store.claim(['c'], 'me', 5)]).toEqual([
      'in_progress',
      'completed',
    ])
    expect(await store.complete(['a', 'b'], 'other', 10)).toBe(true)
    clock.ms = 19
    expect(await store.claim(['b'], 'me', 5)).toBe('completed')
  })
})

describe('createMemoryDedupe', () => {
  it('takes the owners of claims from newOwner', async () => {
    const owners: string[] = []
    const newOwner = () => {
      owners.push(`owner ${owners.length}`)
      return owners.at(-1) as string
    }
    const dedupe = createMemoryDedupe({ newOwner })
    for (const id of [1, 2]) expect((await dedupe.claim(verified(submitted(id)))).state).toBe('claimed')
    expect(owners).toEqual(['owner 0', 'owner 1'])
  })

  it('gives each claim another owner', async () => {
    let now = 0
    const dedupe = createMemoryDedupe({ now: () => now, claimMs: 10 })
    const event = verified(submitted())
    const first = await dedupe.claim(event)
    now = 10
    const second = await dedupe.claim(event)
    expect(first.state === 'claimed' && (await first.release())).toBe(false)
    expect(second.state === 'claimed' && (await second.release())).toBe(true)
  })
})
