import { describe, expect, it } from 'vitest'
import { keyRedactor, safeCause } from '../../src/http/redact.ts'

const KEY = 'svc_secret_key'

describe('removing the key', () => {
  it('[AUTH-02] replaces it in texts and anywhere in data', () => {
    const redact = keyRedactor(KEY)
    expect(redact(`Bearer ${KEY}, ${KEY}`)).toBe('Bearer [redacted], [redacted]')
    expect(redact({ message: `Bad key ${KEY}`, list: [{ [KEY]: 1 }] })).toEqual({
      message: 'Bad key [redacted]',
      list: [{ '[redacted]': 1 }],
    })
  })

  it('returns data without the key unchanged', () => {
    const redact = keyRedactor(KEY)
    const data = { message: 'no key' }
    expect(redact(data)).toBe(data)
    expect(redact(undefined)).toBeUndefined()
    expect(redact(7)).toBe(7)
  })

  it('keeps a cause without the key', () => {
    const cause = Object.assign(new Error('lost'), { code: 'ECONNRESET', bytes: new Uint8Array(5000) })
    expect(safeCause(cause, KEY)).toBe(cause)
  })

  it('[AUTH-02] replaces a cause that is too large to search', () => {
    const small = { message: 'small', all: Array.from({ length: 1900 }, () => ({})) }
    expect(safeCause(small, KEY)).toBe(small)
    const large = { message: 'large', all: Array.from({ length: 2000 }, () => ({})) }
    expect(safeCause(large, KEY)).toEqual(new Error('large'))
  })

  it('[AUTH-02] replaces a cause that cannot be read', () => {
    const cause = Object.defineProperty({ message: 'unreadable' }, 'other', {
      enumerable: true,
      get() {
        throw new Error(KEY)
      },
    })
    expect(safeCause(cause, KEY)).toEqual(new Error('unreadable'))
  })
})
