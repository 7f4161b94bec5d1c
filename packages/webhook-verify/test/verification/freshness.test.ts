import { describe, expect, it } from 'vitest'
import { codeOf, GOOD, refusalOf, TIMESTAMP, verifiers } from '../support.ts'

const SIGNED_MS = TIMESTAMP * 1000

describe.each(verifiers)('freshness ($name)', ({ verify }) => {
  it.each([
    ['a millisecond more than 300 s old', SIGNED_MS + 300_001, 'timestamp_too_old'],
    ['a millisecond more than 300 s ahead', SIGNED_MS - 300_001, 'timestamp_in_future'],
  ])('[DLV-10] refuses a delivery %s', async (_age, now, code) => {
    const refusal = await refusalOf(() => verify({ ...GOOD, now }))
    expect(refusal).toMatchObject({ code, status: 400 })
    expect(refusal.hint).toContain("or a test advanced the server's clock: pass `now`")
  })

  it('applies toleranceSeconds up to its exact limit', async () => {
    const at = (offsetMs: number) => verify({ ...GOOD, toleranceSeconds: 10, now: SIGNED_MS + offsetMs })
    expect((await at(10_000)).type).toBe('response.submitted')
    expect((await refusalOf(() => at(10_001))).message).toBe(
      'The delivery was signed 10.001 s ago (timestamp 1795253400); the tolerance is 10 s.',
    )
  })

  it('accepts any age only with Infinity', async () => {
    expect((await verify({ ...GOOD, toleranceSeconds: Infinity, now: 0 })).type).toBe('response.submitted')
    expect(await codeOf(() => verify({ ...GOOD, toleranceSeconds: undefined, now: 0 }))).toBe(
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
    ['a function that returns a Date', () => new Date(SIGNED_MS)],
    ['a function that returns milliseconds', () => SIGNED_MS],
  ])('accepts now as %s', async (_shape, now) => {
    expect((await verify({ ...GOOD, now })).type).toBe('response.submitted')
  })

  it.each([
    ['a number', TIMESTAMP],
    ['a number with a fraction', TIMESTAMP + 0.5],
    ['a function', () => TIMESTAMP],
    ['a Date', new Date(TIMESTAMP)],
  ])('hints at a now in seconds: %s', async (_shape, now) => {
    const error = await refusalOf(() => verify({ ...GOOD, now }))
    expect(error).toMatchObject({
      code: 'timestamp_in_future',
      message: expect.stringMatching(
        /^The delivery was signed 179\d{7}(\.\d+)? s in the future \(timestamp 1795253400\); the tolerance is 300 s\. now is 1795253400(\.5)?, which looks like seconds; it must be milliseconds\.$/,
      ),
      hint: 'Pass now in milliseconds, as Date.now() returns them, or as a Date.',
    })
  })

  it.each([1_000_000_000, 99_999_999_999])('recognizes a now of %d as seconds', async (now) => {
    const headers = { ...GOOD.headers, 'X-Service-Timestamp': '8640000000000' }
    const error = await refusalOf(() => verify({ ...GOOD, headers, now }))
    expect(error.message).toContain(`now is ${now}, which looks like seconds`)
  })

  it.each([
    ['a clock in March 1973', 100_000_000_000],
    ['a clock at 1970', 0],
    ['a test clock a little after 1970', 999_999_999],
    ['a year before', SIGNED_MS - 31_536_000_000],
  ])('does not mistake %s for seconds', async (_clock, now) => {
    const error = await refusalOf(() => verify({ ...GOOD, now }))
    expect(error.code).toBe('timestamp_in_future')
    expect(error.message).toMatch(/the tolerance is 300 s\.$/)
    expect(error.hint).toContain('check NTP')
  })

  it.each([Number.NaN, new Date(Number.NaN), '2026', Infinity, () => undefined])(
    'refuses %s as now',
    async (now) => {
      expect(await codeOf(() => verify({ ...GOOD, now: now as never }))).toBe('invalid_option')
    },
  )
})
