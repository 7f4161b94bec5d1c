import { describe, expect, it } from 'vitest'
import { GOOD, refusalOf, TIMESTAMP, verifiers } from './support.ts'

const SIGNED_MS = TIMESTAMP * 1000

describe.each(verifiers)('freshness ($name)', ({ verify }) => {
  it.each([
    ['signed now', SIGNED_MS],
    ['300 s old', SIGNED_MS + 300_000],
    ['300 s ahead', SIGNED_MS - 300_000],
  ])('[DLV-10] accepts a delivery %s', async (_age, now) => {
    expect((await verify({ ...GOOD, now })).type).toBe('response.submitted')
  })

  it.each([
    ['a millisecond more than 300 s old', SIGNED_MS + 300_001, 'timestamp_too_old'],
    ['301 s old', SIGNED_MS + 301_000, 'timestamp_too_old'],
    ['a millisecond more than 300 s ahead', SIGNED_MS - 300_001, 'timestamp_in_future'],
    ['a year old', SIGNED_MS + 31_536_000_000, 'timestamp_too_old'],
  ])('[DLV-10] refuses a delivery %s', async (_age, now, code) => {
    expect(await refusalOf(() => verify({ ...GOOD, now }))).toMatchObject({ code, status: 400 })
  })

  it('takes another tolerance, exact at its edge', async () => {
    const at = (offsetMs: number) => verify({ ...GOOD, toleranceSeconds: 10, now: SIGNED_MS + offsetMs })
    expect((await at(10_000)).type).toBe('response.submitted')
    expect((await refusalOf(() => at(10_001))).message).toBe(
      'The delivery was signed 10.001 s ago (timestamp 1795253400); accepted are 10 s.',
    )
    expect((await refusalOf(() => verify({ ...GOOD, toleranceSeconds: 0, now: SIGNED_MS + 1 }))).code).toBe(
      'timestamp_too_old',
    )
    expect((await verify({ ...GOOD, toleranceSeconds: 0, now: SIGNED_MS })).type).toBe('response.submitted')
  })

  it('accepts any age only when Infinity is asked for', async () => {
    expect((await verify({ ...GOOD, toleranceSeconds: Infinity, now: 0 })).type).toBe('response.submitted')
    expect((await refusalOf(() => verify({ ...GOOD, toleranceSeconds: undefined, now: 0 }))).code).toBe(
      'timestamp_in_future',
    )
  })

  it.each([-1, Number.NaN, '300', null])('refuses the tolerance %j', async (toleranceSeconds) => {
    const error = await refusalOf(() => verify({ ...GOOD, toleranceSeconds: toleranceSeconds as number }))
    expect(error).toMatchObject({ code: 'invalid_option', status: 500 })
  })

  it.each([
    ['a Date', new Date(SIGNED_MS)],
    ['milliseconds', SIGNED_MS],
    ['a function of a Date', () => new Date(SIGNED_MS)],
    ['a function of milliseconds', () => SIGNED_MS],
  ])('takes now as %s', async (_shape, now) => {
    expect((await verify({ ...GOOD, now })).type).toBe('response.submitted')
  })

  it.each([Number.NaN, new Date(Number.NaN), '2026', Infinity, () => undefined])(
    'refuses %s as now',
    async (now) => {
      expect((await refusalOf(() => verify({ ...GOOD, now: now as never }))).code).toBe('invalid_option')
    },
  )
})
