import { describe, expect, it } from 'vitest'
import { classifyFailure } from '../../src/http/classify-failure.ts'
import { systemError } from '../support/fake-transport.ts'

describe('what an error of a transport tells', () => {
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
  ])('%s while in %s: may have been sent: %s', (code, syscall, maybeSent) => {
    expect(classifyFailure(systemError(code, syscall))).toEqual({
      maybeSent,
      permanent: false,
      systemCode: code,
    })
  })

  it('takes an aggregate of refused addresses as not sent', () => {
    const each = ['::1', '127.0.0.1'].map((address) =>
      Object.assign(new Error(address), { code: 'ECONNREFUSED', syscall: 'connect' }),
    )
    const error = new TypeError('fetch failed', { cause: new AggregateError(each) })
    expect(classifyFailure(error)).toEqual({ maybeSent: false, permanent: false, systemCode: 'ECONNREFUSED' })
  })

  it('knows that a wrong certificate stays wrong', () => {
    expect(classifyFailure(systemError('DEPTH_ZERO_SELF_SIGNED_CERT')).permanent).toBe(true)
    expect(classifyFailure(systemError('ERR_TLS_CERT_ALTNAME_INVALID')).maybeSent).toBe(false)
  })

  it('counts what it does not know as sent', () => {
    expect(classifyFailure(new Error('odd'))).toEqual({
      maybeSent: true,
      permanent: false,
      systemCode: undefined,
    })
    expect(classifyFailure('a string')).toEqual({ maybeSent: true, permanent: false, systemCode: undefined })
  })
})
