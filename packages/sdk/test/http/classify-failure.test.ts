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
    expect(classifyFailure(error)).toEqual({
      maybeSent,
      permanent: false,
      systemCode: code,
      cause: error.cause,
    })
  })

  it('classifies an aggregate of refused addresses as not sent', () => {
    const each = ['::1', '127.0.0.1'].map((address) =>
      Object.assign(new Error(address), { code: 'ECONNREFUSED', syscall: 'connect' }),
    )
    const error = new TypeError('fetch failed', { cause: new AggregateError(each) })
    expect(classifyFailure(error)).toEqual({
      maybeSent: false,
      permanent: false,
      systemCode: 'ECONNREFUSED',
      cause: each[0],
    })
  })

  it('classifies an aggregate as sent if one of its connections may have been established', () => {
    const each = [
      Object.assign(new Error('::1'), { code: 'ECONNREFUSED', syscall: 'connect' }),
      Object.assign(new Error('127.0.0.1'), { code: 'ECONNRESET', syscall: 'read' }),
    ]
    expect(classifyFailure(new AggregateError(each))).toEqual({
      maybeSent: true,
      permanent: false,
      systemCode: 'ECONNREFUSED',
      cause: each[0],
    })
  })

  it('classifies an aggregate without errors by its own code', () => {
    const error = Object.assign(new AggregateError([]), { code: 'ECONNRESET' })
    expect(classifyFailure(error)).toEqual({
      maybeSent: true,
      permanent: false,
      systemCode: 'ECONNRESET',
      cause: error,
    })
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

  it('classifies a response that is too large as sent and permanent', () => {
    const error = new ResponseTooLargeError({ maxResponseBytes: 10 })
    expect(classifyFailure(error)).toEqual({
      maybeSent: true,
      permanent: true,
      systemCode: undefined,
      cause: error,
    })
  })

  it('classifies a usage error of a transport as not sent and permanent', () => {
    const error = new UsageError('Install undici.')
    expect(classifyFailure(error)).toEqual({
      maybeSent: false,
      permanent: true,
      systemCode: undefined,
      cause: error,
    })
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
      expect(classifyFailure(cause)).toEqual({
        maybeSent: true,
        permanent: false,
        systemCode: undefined,
        cause,
      })
    }
  })
})
