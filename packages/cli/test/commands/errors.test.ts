import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { type Service, SURVEY, startService } from '../support/service.ts'

let service: Service
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.server.close())
const cli = (argv: string[], env: Record<string, string> = {}) =>
  runCli(argv, { env: { ...service.env, ...env } })
const fault = (fault: Record<string, unknown>) => service.server.app.faults.add(fault as never)

describe('[ERR-05] a 429', () => {
  it('is announced, waited for once, and then the command goes on', async () => {
    fault({ path: '/api/v1/me', status: 429, retry_after: 1, times: 1 })
    const { code, stderr, stdout } = await cli(['whoami'])
    expect([code, stderr]).toEqual([0, 'rate limited; trying once more in 1 s\n'])
    expect(stdout).toContain('Ada Byron')
  })
  it('ends the command with exit 5 the second time', async () => {
    fault({ path: '/api/v1/me', status: 429, retry_after: 1 })
    const { code, stderr, stdout } = await cli(['whoami', '--json'])
    expect([code, stdout]).toEqual([5, ''])
    const [announced, failed] = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(announced).toMatchObject({ event: 'rate_limited', wait_seconds: 1 })
    expect(failed.error).toMatchObject({ code: 'rate_limited', status: 429, exit_code: 5 })
    expect(service.server.app.requests.list()).toHaveLength(2)
  })
  it('that asks for too long a wait ends the command at once', async () => {
    fault({ path: '/api/v1/me', status: 429, retry_after: 3600 })
    const { code, stderr } = await cli(['whoami'])
    expect(code).toBe(5)
    expect(stderr).not.toContain('trying once more')
  })
})

describe('failures', () => {
  it('nothing listens: exit 6', async () => {
    const { code, stdout, stderr } = await cli(['whoami'], { FORMWIRE_BASE_URL: 'http://127.0.0.1:9' })
    expect([code, stdout]).toEqual([6, ''])
    expect(stderr).toContain('ECONNREFUSED')
    expect(stderr).toContain('is the base URL right')
  })
  it('a server that hangs up: exit 6', async () => {
    const hangingUp = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => hangingUp.listen(0, '127.0.0.1', resolve))
    const { port } = hangingUp.address() as AddressInfo
    const { code } = await cli(['whoami'], { FORMWIRE_BASE_URL: `http://127.0.0.1:${port}` })
    hangingUp.close()
    expect(code).toBe(6)
  })
  it('[AUTH-01] a wrong key: exit 4, with what to try', async () => {
    const { code, stdout, stderr } = await cli(['whoami'], { FORMWIRE_API_KEY: 'svc_wrong' })
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toContain('log in again with formwire login --with-key')
  })
  it('[AUTH-02] a server that echoes the key: it does not reach the screen', async () => {
    fault({ path: '/api/v1/me', status: 500, body: 'html' })
    const { code, stdout, stderr } = await cli(['whoami'], { FORMWIRE_DEBUG: '1' })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('GET /me 500')
    expect(stderr).not.toContain('wwwwwwwwww')
  })
  it('[ENV-04] unknown error codes and details pass', async () => {
    const other = await startService({
      unspecified: { extraFields: 'true', errorDetails: 'extra', statusOfUnpublished: '409' } as never,
    })
    const { code, stderr } = await runCli(['forms', 'rename', SURVEY, '', '--json'], { env: other.env })
    await other.server.close()
    expect(code).toBe(1)
    expect(JSON.parse(stderr).error.exit_code).toBe(1)
  })
  it('plain http to another machine is refused: the key would travel unprotected', async () => {
    const { code, stderr } = await cli(['whoami'], { FORMWIRE_BASE_URL: 'http://forms.example.com' })
    expect(code).toBe(2)
    expect(stderr).toContain('plain http')
  })
})
