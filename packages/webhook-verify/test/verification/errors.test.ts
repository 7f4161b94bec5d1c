import { ERROR_CODES, WebhookVerificationError } from '@formwire/webhook-verify'
import { describe, expect, it } from 'vitest'

describe('WebhookVerificationError', () => {
  it('carries code, hint and status', () => {
    const error = new WebhookVerificationError('no_match', 'The signature does not match.')
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'WebhookVerificationError',
      code: 'no_match',
      status: 401,
      message: 'The signature does not match.',
      hint: ERROR_CODES.no_match.hint,
    })
    expect(String(error)).toBe('WebhookVerificationError: The signature does not match.')
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'WebhookVerificationError',
      message: 'The signature does not match.',
      code: 'no_match',
      hint: ERROR_CODES.no_match.hint,
      status: 401,
    })
  })

  it('has the cause, the hint and the page of its code', () => {
    const cause = new Error('reset')
    const error = new WebhookVerificationError('body_read_failed', 'x', { cause, hint: 'Try again.' })
    expect([error.cause, error.hint]).toEqual([cause, 'Try again.'])
    expect(error.helpUrl).toMatch(/^https:\/\/.+#body_read_failed$/)
    // Node prints a cause of undefined too.
    expect('cause' in new WebhookVerificationError('no_match', 'x')).toBe(false)
  })

  it('is recognized by instanceof if another copy of the package created it', async () => {
    const { WebhookVerificationError: Other } = (await import(
      `${new URL('../../src/verification/errors.ts', import.meta.url).href}?another-copy`
    )) as typeof import('../../src/verification/errors.ts')
    expect(Other).not.toBe(WebhookVerificationError)
    expect(new Other('no_match', 'x')).toBeInstanceOf(WebhookVerificationError)
    for (const other of [new Error('x'), {}, null, undefined, 'no_match']) {
      expect(other instanceof WebhookVerificationError).toBe(false)
    }
  })

  it('does not change instanceof for subclasses', () => {
    class Own extends WebhookVerificationError {}
    expect(new WebhookVerificationError('no_match', 'x') instanceof Own).toBe(false)
    expect(new Own('no_match', 'x')).toBeInstanceOf(Own)
    expect(new Own('no_match', 'x')).toBeInstanceOf(WebhookVerificationError)
  })
})
