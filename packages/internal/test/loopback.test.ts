import { describe, expect, it } from 'vitest'
import { isLoopbackHost, isPlainHttpHost } from '../src/loopback.ts'

const hostOf = (host: string): string => new URL(`http://${host}/`).hostname

describe('a host of this machine', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1', '0x7f.1', '127.200.3.4', '[::1]', '[0:0::0:1]'])(
    'is %s',
    (host) => {
      expect(isLoopbackHost(hostOf(host))).toBe(true)
      expect(isPlainHttpHost(hostOf(host))).toBe(true)
    },
  )

  it.each([
    'localhost.example',
    '127.0.0.1.example',
    '127.example',
    'notlocalhost',
    '128.0.0.1',
    '0.0.0.0',
    '[::2]',
    '[::ffff:127.0.0.1]',
    'example.com',
  ])('is not %s', (host) => {
    expect(isLoopbackHost(hostOf(host))).toBe(false)
    expect(isPlainHttpHost(hostOf(host))).toBe(false)
  })

  it.each(['forms.localhost', 'a.b.localhost', 'formwire.test'])(
    '[ENV-10] may be %s for plain http only',
    (host) => {
      expect(isLoopbackHost(host)).toBe(false)
      expect(isPlainHttpHost(host)).toBe(true)
    },
  )
})
