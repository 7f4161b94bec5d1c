import { describe, expect, it } from 'vitest'
import { safeCause } from '../../src/http/redact.ts'

const KEY = 'svc_secret_key'

describe('removing the key from a cause', () => {
  it('[AUTH-02] keeps one without it, and replaces one that is too large to search', () => {
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
