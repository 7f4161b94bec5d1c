import { describe, expect, it } from 'vitest'
import { classifyFailure } from '../../src/http/classify-failure.ts'
import { ResponseTooLargeError, UsageError } from '../../src/index.ts'
import { systemError } from '../support/fake-transport.ts'

describe('classifyFailure', () => {
  it.each([
    ['ECONNREFUSED', 'connect', false],
    ['ENOTFOUND', 'getaddrinfo', false],
    ['EAI_AGAIN', 'getaddrinfo', false],
    ['ETIMEDOUT', 'connect', false],
    ['EHOSTUNREACH', 'connect', false],
    ['UND_ERR_CONNECT_TIMEOUT', undefined, false],
    ['ECONNRESET', 'read', true],
    ['EPIPE', 'write', true],
    ['UND_ERR_SOCKET', undefined, true],
    ['ETIMEDOUT', 'read', true],
  ])('classifies %s during %s as maybeSent: %s', (code, syscall, maybeSent) => {
    const error = systemError(code, syscall)
    const expected = { maybeSent, permanent: false, systemCode: code, cause: error.cause }
    expect(classifyFailure(error)).toEqual(expected)
  })

  const refused = systemError('ECONNREFUSED', 'connect').cause as Error
  const reset = systemError('ECONNRESET', 'read').cause as Error
  const none = new TypeError('fetch failed', { cause: new AggregateError([refused, refused]) })
  const one = new AggregateError([refused, reset])
  const empty = Object.assign(new AggregateError([]), { code: 'ECONNRESET' })
  const tooLarge = new ResponseTooLargeError({ maxResponseBytes: 10 })
  const usage = new UsageError('Install undici.')
  it.each<[string, unknown, maybeSent: boolean, permanent: boolean, systemCode: string | undefined, unknown]>(
    [
      ['an aggregate of refused addresses as not sent', none, false, false, 'ECONNREFUSED', refused],
      ['an aggregate as sent if one may have been established', one, true, false, 'ECONNREFUSED', refused],
      ['an aggregate without errors by its own code', empty, true, false, 'ECONNRESET', empty],
      ['a response that is too large as sent and permanent', tooLarge, true, true, undefined, tooLarge],
      ['a usage error of a transport as not sent and permanent', usage, false, true, undefined, usage],
    ],
  )('classifies %s', (_what, error, maybeSent, permanent, systemCode, cause) => {
    expect(classifyFailure(error)).toEqual({ maybeSent, permanent, systemCode, cause })
  })

  it('looks at most eight errors deep', () => {
    const nested = (depth: number): Error => {
      const error = depth === 1 ? systemError('ECONNREFUSED').cause : nested(depth - 1)
      return depth === 1 ? (error as Error) : new Error('wrapped', { cause: error })
    }
    expect(classifyFailure(nested(8)).systemCode).toBe('ECONNREFUSED')
    expect(classifyFailure(nested(9)).systemCode).toBeUndefined()
  })

  it.each([
    ['UND_ERR_SOCKET', 'bad response', true],
    ['UND_ERR_SOCKET', 'other side closed', false],
    ['HPE_INVALID_STATUS', 'bad response', false],
  ])('classifies %s with the message "%s" as permanent: %s', (code, message, permanent) => {
    expect(classifyFailure(Object.assign(new Error(message), { code })).permanent).toBe(permanent)
  })

  it('classifies an invalid certificate as permanent', () => {
    expect(classifyFailure(systemError('DEPTH_ZERO_SELF_SIGNED_CERT')).permanent).toBe(true)
    expect(classifyFailure(systemError('ERR_TLS_CERT_ALTNAME_INVALID')).maybeSent).toBe(false)
  })

  it.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG'])(
    'takes a module that cannot be loaded (%s) for no lost connection',
    (code) => {
      expect(classifyFailure(systemError(code))).toMatchObject({ maybeSent: false, permanent: true })
    },
  )

  it('classifies unknown errors as sent', () => {
    for (const cause of [new Error('odd'), 'a string', new TypeError('fetch failed', { cause: {} })]) {
      const unknown = { maybeSent: true, permanent: false, systemCode: undefined, cause }
      expect(classifyFailure(cause)).toEqual(unknown)
    }
  })
})
