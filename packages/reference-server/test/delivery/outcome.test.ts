import { describe, expect, it } from 'vitest'
import { errorOfException, errorOfStatus } from '../../src/delivery/attempt.ts'
import { AttemptFailure } from '../../src/delivery/attempt-failure.ts'

const failure = (code: string, message = 'failed') => Object.assign(new Error(message), { code })

describe('the error of an attempt', () => {
  it('[DLV-05] is none for 200 to 299, and the status for any other', () => {
    expect([199, 200, 204, 299, 300, 302, 404, 500].map(errorOfStatus)).toEqual([
      'http_199',
      null,
      null,
      null,
      'http_300',
      'http_302',
      'http_404',
      'http_500',
    ])
  })

  it.each([
    [new AttemptFailure('tls', 'self-signed'), 'tls'],
    [failure('ECONNREFUSED'), 'refused'],
    [failure('ECONNRESET'), 'reset'],
    [failure('ETIMEDOUT'), 'timeout'],
    [failure('UND_ERR_SOCKET', 'other side closed'), 'reset'],
    [failure('UND_ERR_SOCKET', 'bad response'), 'protocol'],
    [failure('UND_ERR_SOCKET', 'not a bad response'), 'reset'],
    [failure('ECONNRESET', 'bad weather'), 'reset'],
    [failure('EUNKNOWN'), 'protocol'],
    [Object.assign(new Error('failed'), { code: 7 }), 'protocol'],
    [new AggregateError([failure('ECONNREFUSED'), failure('ECONNRESET'), failure('ETIMEDOUT')]), 'timeout'],
    [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'refused'],
  ])('[DLV-05] of %o is %s', (error, expected) => {
    expect(errorOfException(error)).toBe(expected)
  })
})
