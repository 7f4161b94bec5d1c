import { checkReceiver, type ReceiverCheckName } from '@formwire/webhook-verify/testing'
import { expect, it } from 'vitest'
import { IdleClock } from './idle-clock.ts'

/** Checks a receiver that responds with one of these statuses during each check. */
function check(only: readonly ReceiverCheckName[], ...statuses: number[]) {
  let ended = 0
  const handle = () => ({ status: statuses[ended] ?? 500 })
  const onResult = () => {
    ended += 1
  }
  return checkReceiver({ secret: 'whsec_test', handle, only, onResult, clock: new IdleClock() })
}

it('names a genuine delivery that fails with the same status as the cause of another failure', async () => {
  const { checks } = await check(['genuine', 'test_ping', 'non_ascii', 'tampered_body'], 401, 401, 500, 401)
  expect(checks.map(({ passed, hint }) => [passed, hint])).toEqual([
    [false, expect.stringMatching(/^The receiver refuses a genuine delivery: /)],
    [false, 'It gets 401 like a genuine delivery: fix that first.'],
    [false, expect.stringMatching(/^The receiver decodes or escapes the body /)],
    [true, null],
  ])
})

it('does not blame a genuine delivery that passes', async () => {
  const { checks } = await check(['genuine', 'tampered_body'], 200, 200)
  expect(checks.map(({ passed }) => passed)).toEqual([true, false])
  expect(checks[1]?.hint).toMatch(/^The receiver accepts a body that was changed on the way: /)
})

it('is all right if only optional checks fail', async () => {
  const names = ['genuine', 'uppercase_signature', 'not_post'] as const
  expect(await check(names, 200, 200)).toMatchObject({ ok: true, passed: 1, failed: 1, skipped: 1 })
  expect(await check(names, 500, 401)).toMatchObject({ ok: false, passed: 1, failed: 1, skipped: 1 })
})
