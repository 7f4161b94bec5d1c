import { afterEach, describe, expect, it, vi } from 'vitest'
import { Formwire, type FormwireOptions, UsageError } from '../src/index.ts'
import { fakeTransport, ME } from './support/fake-transport.ts'

async function urlOf(options: FormwireOptions): Promise<string | undefined> {
  const transport = fakeTransport(ME)
  await new Formwire({ apiKey: 'svc_k', transport, ...options }).me()
  return transport.requests[0]?.url
}

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('options', () => {
  it('reads the key and the base URL from the environment', async () => {
    vi.stubEnv('FORMWIRE_API_KEY', 'svc_env')
    vi.stubEnv('FORMWIRE_BASE_URL', 'https://env.example/forms/')
    const transport = fakeTransport(ME)
    await new Formwire({ transport }).me()
    expect(transport.requests[0]?.url).toBe('https://env.example/forms/api/v1/me')
    expect(transport.requests[0]?.headers.authorization).toBe('Bearer svc_env')
  })

  it('names the missing option and its environment variable', () => {
    vi.stubEnv('FORMWIRE_API_KEY', '')
    vi.stubEnv('FORMWIRE_BASE_URL', '')
    expect(() => new Formwire({ baseUrl: 'https://x.example' })).toThrow(/FORMWIRE_API_KEY/)
    expect(() => new Formwire({ apiKey: 'svc_k' })).toThrow(/FORMWIRE_BASE_URL/)
  })

  it('adds /api/v1 to the root, with and without a path or a slash', async () => {
    expect(await urlOf({ baseUrl: 'https://x.example' })).toBe('https://x.example/api/v1/me')
    expect(await urlOf({ baseUrl: 'https://x.example/' })).toBe('https://x.example/api/v1/me')
    expect(await urlOf({ baseUrl: 'https://x.example/a/b//' })).toBe('https://x.example/a/b/api/v1/me')
    expect(await urlOf({ baseUrl: 'https://x.example/api/v10' })).toBe('https://x.example/api/v10/api/v1/me')
  })

  it('[ENV-10] requires https, except on loopback, for formwire.test, or with allowInsecure', async () => {
    for (const baseUrl of [
      'http://x.example',
      'http://10.0.0.1',
      'http://127.0.0.1.x.example',
      'http://localhost.x.example',
      'http://formwire.test.x.example',
      'http://forms.example.test',
      'http://0.0.0.0',
      'ftp://x.example',
      'nonsense',
    ]) {
      expect(() => new Formwire({ apiKey: 'svc_k', baseUrl }), baseUrl).toThrow(UsageError)
    }
    for (const host of [
      'localhost:1',
      '127.0.0.1:1',
      '127.9.9.9',
      '[::1]:1',
      'app.localhost',
      'formwire.test',
    ]) {
      expect(await urlOf({ baseUrl: `http://${host}` })).toBe(`http://${host}/api/v1/me`)
    }
    expect(await urlOf({ baseUrl: 'http://x.example', allowInsecure: true })).toBe(
      'http://x.example/api/v1/me',
    )
  })

  it.each([
    [{ timeoutMs: 0 }],
    [{ totalTimeoutMs: Number.NaN }],
    [{ maxRetries: -1 }],
    [{ maxResponseBytes: 0 }],
    [{ rateLimit: { perMinute: 0 } }],
    [{ fetch: async () => new Response(), transport: fakeTransport(ME) }],
    // What a JavaScript caller may write, whom no type stops.
    [{ maxRetries: '3' }],
    [{ timeoutMs: '5' }],
    [{ apiKey: 5 }],
    [{ transport: {} }],
    [{ headers: { 'x-team': 'a\nb' } }],
    [{ headers: { tëam: 'a' } }],
    [{ userAgent: 'app\r\nx-team: a' }],
  ])('rejects %o', (options) => {
    const given = { apiKey: 'svc_k', baseUrl: 'https://x.example', ...options } as FormwireOptions
    expect(() => new Formwire(given)).toThrow(UsageError)
  })

  it('[AUTH-02] rejects a key in place of the options, without showing it', () => {
    vi.stubEnv('FORMWIRE_API_KEY', 'svc_env')
    vi.stubEnv('FORMWIRE_BASE_URL', 'https://env.example')
    for (const given of ['svc_secret', null, 5]) {
      expect(() => new Formwire(given as FormwireOptions)).toThrow(
        expect.objectContaining({
          name: 'UsageError',
          message: expect.stringMatching(
            /^new Formwire\(\) must be an object with apiKey, baseUrl, .*got (?!.*svc_)/,
          ),
        }),
      )
    }
  })
})
