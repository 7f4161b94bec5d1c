import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { type Spawned, start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { PARTY, type Service, startService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const bin = inject('programs').cli
let service: Service
let env: Record<string, string | undefined>
beforeEach(async () => {
  service = await startService({ limits: 'off' })
  env = { ...service.env, FORMWIRE_ADMIN_TOKEN: undefined, HOME: temporaryDirectory() }
})
afterEach(() => service.server.close())

const endpoints = () => service.server.app.webhooks.list(PARTY)
const listen = (args: string[], more: Record<string, string | undefined> = {}): Spawned =>
  start([bin, 'listen', '--form', PARTY, ...args], { ...env, ...more }, '')

describe('the process of listen', () => {
  it('a burst of deliveries prints no warning of Node, also with the log of the server', async () => {
    const handler = createServer((request, response) => {
      request.resume().once('end', () => response.end())
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => handler.once('listening', resolve))
    const { port } = handler.address() as AddressInfo
    const running = listen(['--forward-to', String(port), '--count', '60', '--json'], {
      FORMWIRE_ADMIN_TOKEN: service.env.FORMWIRE_ADMIN_TOKEN,
    })
    await until('the endpoint', () => running.stderr.includes('"listening"'))
    const [endpoint] = endpoints()
    for (let sent = 0; sent < 60; sent += 1) service.server.app.webhooks.test(PARTY, endpoint?.id ?? 0)
    const { code, stdout, stderr } = await running.finished
    handler.close()
    expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 60])
    expect(stderr).not.toMatch(/warning/i)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it('its command gets its output and its exit code through, and the secret', async () => {
    const script = `process.stdout.write(String(/^whsec_/.test(process.env.FORMWIRE_WEBHOOK_SECRET))); console.error('error'); process.exitCode = 5`
    const { code, stdout, stderr } = await listen(['--', process.execPath, '-e', script]).finished
    expect([code, stdout]).toEqual([5, 'true'])
    expect(stderr.split('\n').slice(-4)).toEqual([
      'error',
      'the command exited with code 5',
      expect.stringMatching(/^deleted temporary endpoint \d+ on form \w+$/),
      '',
    ])
    expect(stderr).not.toContain('whsec_')
    expect(endpoints()).toEqual([])
  })

  it('a second signal kills a command that ignores SIGTERM, and leaves no endpoint behind', async () => {
    const script = `process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)`
    const running = listen(['--', process.execPath, '-e', script])
    await running.firstLine
    running.child.kill('SIGINT')
    await until('the wait for the command', () => running.stderr.includes('waiting for the command'))
    running.child.kill('SIGINT')
    const { code, stderr } = await running.finished
    expect([code, stderr.includes('may still exist')]).toEqual([130, false])
    expect(endpoints()).toEqual([])
  })

  it('an endpoint that a kill leaves behind is recognised by the next listen', async () => {
    const killed = listen(['--public-url', 'http://127.0.0.1:9/tunnel'])
    await until('the endpoint', () => killed.stderr.includes('webhook secret'))
    killed.child.kill('SIGKILL')
    await killed.finished
    const [left] = endpoints()
    const { stderr } = await listen(['--timeout', '10ms']).finished
    expect(stderr).toContain(
      `left behind by an earlier listen: endpoint ${left?.id} (http://127.0.0.1:9/tunnel) on form ${PARTY}`,
    )
    const { stderr: deleted } = await listen(['--timeout', '10ms', '--yes']).finished
    expect(deleted).toContain(`deleted endpoint ${left?.id} on form ${PARTY}`)
    expect(endpoints()).toEqual([])
  })
})
