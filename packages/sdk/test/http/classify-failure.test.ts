import { describe, expect, it } from 'vitest'
import { classifyFailure } from '../../src/http/classify-failure.ts'
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

  it('classifies an invalid certificate as permanent', () => {
    expect(classifyFailure(systemError('DEPTH_ZERO_SELF_SIGNED_CERT')).permanent).toBe(true)
    expect(classifyFailure(systemError('ERR_TLS_CERT_ALTNAME_INVALID')).maybeSent).toBe(false)
  })

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
