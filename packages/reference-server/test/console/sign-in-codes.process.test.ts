import { describe, expect, it } from 'vitest'
import { SignInCodes } from '../../src/console/sign-in-codes.ts'
import { createReferenceServer } from '../../src/index.ts'
import { run } from '../run-bin.ts'

const exchange = async (url: string, code: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}/_app/console/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ code }),
  })
  return {
    status: response.status,
    text: await response.text(),
    caching: response.headers.get('cache-control'),
  }
}

describe('a code for a link to the console', () => {
  it('is printed instead of the admin token, and exchanged for it once', async () => {
    const server = run(['--port', '0', '--seed', 'empty', '--admin-token', 'of-this-test'])
    await expect.poll(() => server.stdout).toContain('Ctrl-C')
    const printed = server.stdout
    const [, url = '', code = ''] = /➜ {2}console {6}(\S+)\/_app\/console#code=(\w{32})\n/.exec(printed) ?? []
    // Of the banner's lines, two have the token: its own, and a command that needs it.
    expect(printed.split('of-this-test')).toHaveLength(3)
    expect(await exchange(url, code)).toEqual({
      status: 200,
      text: '{"data":{"admin_token":"of-this-test"}}',
      caching: 'no-store',
    })
    expect((await exchange(url, code)).status).toBe(422)
  })

  it('is read only from a body of at most 1024 bytes', async () => {
    await using server = createReferenceServer()
    const { url } = await server.listen({ port: 0 })
    expect((await exchange(url, 'x'.repeat(1013))).status).toBe(422)
    expect((await exchange(url, 'x'.repeat(1014))).status).toBe(400)
  })

  it('is refused from another page, and when it is none', async () => {
    await using server = createReferenceServer({ adminToken: 'secret' })
    const { url } = await server.listen({ port: 0 })
    const code = server.signInCode()
    for (const refused of [
      await exchange(url, code, { origin: 'http://attacker.example' }),
      await exchange(url, code, { 'sec-fetch-site': 'cross-site' }),
      await exchange(url, 'constructor'),
      await exchange(url, ['x']),
      await exchange(url, undefined),
    ]) {
      expect([403, 422]).toContain(refused.status)
      expect(refused.text).not.toContain('secret')
    }
    expect((await exchange(url, code)).status).toBe(200)
  })

  it('is valid for 10 minutes', () => {
    let now = 0
    const codes = new SignInCodes(() => now)
    const [first, second] = [codes.issue(), codes.issue()]
    now = 600_000
    expect(codes.redeem(first)).toBe(true)
    now += 1
    expect(codes.redeem(second)).toBe(false)
  })
})
