import { beforeEach, describe, expect, inject, it } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { type Spawned, start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { eachService, PARTY } from '../support/service.ts'
import { until } from '../support/wait.ts'

const bin = inject('programs').cli
const service = eachService({ limits: 'off' })
let HOME: string
beforeEach(() => {
  HOME = temporaryDirectory()
})

const endpoints = () => service.server.app.webhooks.list(PARTY)
const listen = (args: string[], FORMWIRE_ADMIN_TOKEN?: string): Spawned =>
  start([bin, 'listen', '--form', PARTY, ...args], { ...service.env, FORMWIRE_ADMIN_TOKEN, HOME }, '')

describe('the process of listen', () => {
  it('a burst of deliveries prints no warning of Node, also with the log of the server', async () => {
    const handler = await serve((request, response) => {
      request.resume().once('end', () => response.end())
    })
    const running = listen(
      ['--forward-to', handler, '--count', '60', '--json'],
      service.env.FORMWIRE_ADMIN_TOKEN,
    )
    await until('the endpoint', () => running.stderr.includes('"listening"'))
    const [endpoint] = endpoints()
    for (let sent = 0; sent < 60; sent += 1) service.server.app.webhooks.test(PARTY, endpoint?.id ?? 0)
    const { code, stdout, stderr } = await running.finished
    expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 60])
    expect(stderr).not.toMatch(/warning/i)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
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

  it('an endpoint that a kill leaves behind is deleted by the next listen', async () => {
    const killed = listen([])
    await until('the endpoint', () => killed.stderr.includes('webhook secret'))
    killed.child.kill('SIGKILL')
    await killed.finished
    const [left] = endpoints()
    const { stderr } = await listen(['--timeout', '10ms']).finished
    expect(stderr).toContain(
      `deleted endpoint ${left?.id} on form ${PARTY}, left behind by an earlier listen`,
    )
    expect(endpoints()).toEqual([])
  })
})
