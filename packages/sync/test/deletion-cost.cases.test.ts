import fc from 'fast-check'
import { expect, it } from 'vitest'
import { propertyRuns } from '../../../test/support/cases.ts'
import { requestsForDeletions } from './support/deletion-model.ts'
import { seeded } from './support/random.ts'

/** Positions at equal distances, or one after the other. */
const spread = (size: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(((index + 0.37) * size) / count))
const together = (size: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(size * 0.37) + index)

it.each([
  [5000, 1, 12, 12],
  [5000, 2, 20, 15],
  [5000, 5, 41, 23],
  [5000, 20, 54, 28],
  [50_000, 1, 16, 16],
  [50_000, 2, 28, 20],
  [50_000, 5, 60, 30],
  [50_000, 20, 191, 38],
  [1_000_000, 1, 20, 20],
  [1_000_000, 5, 78, 37],
  [1_000_000, 20, 265, 49],
])(
  'finds a few deletions cheaply: of %d responses, %d in %d requests, or next to each other in %d',
  async (size, count, scattered, adjacent) => {
    expect(await requestsForDeletions(size, spread(size, count))).toBe(scattered)
    expect(await requestsForDeletions(size, together(size, count))).toBe(adjacent)
  },
)

it('finds many deletions in fewer requests than a full read takes', { timeout: 120_000 }, async () => {
  const size = 80_000
  const random = seeded(1)
  const scattered = new Set<number>()
  while (scattered.size < size / 800) scattered.add(random(size))
  expect(await requestsForDeletions(size, scattered)).toBe(594)
  expect(await requestsForDeletions(size, together(size, size / 800))).toBe(32)
})

it('spends at most a tenth more than a full read on whatever was deleted', { timeout: 600_000 }, async () => {
  const deletions = fc.record({
    size: fc.oneof(fc.integer({ min: 801, max: 3000 }), fc.integer({ min: 3000, max: 60_000 })),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    groups: fc.double({ min: 0, max: 1, noNaN: true }),
    tied: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 100 })),
    seed: fc.nat(),
  })
  await fc.assert(
    fc.asyncProperty(deletions, async ({ size, share, groups, tied, seed }) => {
      // From one to almost all, in one block or scattered.
      const count = Math.max(1, Math.floor(0.95 * size ** share))
      const blocks = 1 + Math.floor(groups * groups * (count - 1))
      const random = seeded(seed)
      const deleted = new Set<number>()
      for (let block = 0; block < blocks; block += 1) {
        const first = random(size)
        for (let index = first; index < Math.min(size, first + count / blocks); index += 1) deleted.add(index)
      }
      const pages = Math.ceil((size - deleted.size) / 100)
      const fullRead = 1.04 * pages + 2
      // The form of 801 responses has 9 pages: one search for a few of them may be in vain.
      expect(await requestsForDeletions(size, deleted, { tied })).toBeLessThanOrEqual(1.1 * fullRead + 6)
    }),
    { numRuns: propertyRuns(8, 20) },
  )
})

it('confirms many deletions of a full read by one count per slice', async () => {
  expect(await requestsForDeletions(10_000, [], { verify: true })).toBe(106)
  expect(await requestsForDeletions(10_000, spread(10_000, 1000), { verify: true })).toBe(98)
})

it.each([[1200], [2600]])(
  'marks no response that exists when a page of the list lacks it once (%d)',
  async (hidden) => {
    // The model fails if one is marked.
    expect(await requestsForDeletions(3000, together(1500, 800), { hidden })).toBeGreaterThan(0)
    expect(await requestsForDeletions(6000, spread(1100, 1100), { hidden })).toBeGreaterThan(0)
  },
)
