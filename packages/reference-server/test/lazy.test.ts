import { expect, it } from 'vitest'
import { lazy } from '../src/lazy.ts'

it('loads once for concurrent calls, and again after a failure', async () => {
  let loads = 0
  const load = lazy(async () => {
    loads += 1
    if (loads === 1) throw new Error('EMFILE')
    return 'loaded'
  })
  await expect(load()).rejects.toThrow('EMFILE')
  expect(await Promise.all([load(), load()])).toEqual(['loaded', 'loaded'])
  expect([await load(), loads]).toEqual(['loaded', 2])
})
