import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Stopped } from '../../src/failure.ts'
import { runCli } from '../support/run-cli.ts'
import { PARTY, type Service, startService } from '../support/service.ts'
import { isAlive, until } from '../support/wait.ts'

let service: Service
beforeEach(async () => {
  service = await startService({ limits: 'off' })
})
afterEach(() => service.server.close())

/** Milliseconds that a command has before it is said that it has not ended, and before it is killed. */
const PATIENCE_MS = 500
const GRACE_MS = 5_000

describe('the command that listen has started', () => {
  it('is killed 5 seconds after SIGTERM, with the processes that it has started', async () => {
    const descendantScript = `process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000)`
    const script = `
      process.on('SIGTERM', () => {})
      require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(descendantScript)}], { stdio: 'inherit' })
      setInterval(() => {}, 1000)`
    const stop = new AbortController()
    const waits = new Map<number, () => void>()
    let stdout = ''
    let stderr = ''
    const result = runCli(['listen', '--form', PARTY, '--', process.execPath, '-e', script], {
      env: { ...service.env, NO_COLOR: '1' },
      stop: stop.signal,
      onStdout: (text) => {
        stdout += text
      },
      onStderr: (text) => {
        stderr += text
      },
      onSleep: (ms) => new Promise((resolve) => waits.set(ms, resolve)),
    })
    await until('the command', () => /^\d+\n/m.test(stdout))
    const descendant = Number(/^\d+$/m.exec(stdout)?.[0])
    stop.abort(new Stopped('interrupted'))
    await until('the wait for the command', () => waits.has(GRACE_MS))
    expect(stderr).not.toContain('waiting for the command')

    waits.get(PATIENCE_MS)?.()
    await until('its announcement', () => stderr.includes('waiting for the command'))
    expect(stderr).toMatch(/\nwaiting for the command to end \(press Ctrl-C again to kill it\)\n$/)
    expect(isAlive(descendant)).toBe(true)

    waits.get(GRACE_MS)?.()
    expect((await result).code).toBe(130)
    expect(stderr).toMatch(/\nthe command ignored SIGTERM for 5 s and was killed\n$/)
    await until('the end of the process that the command has started', () => !isAlive(descendant))
    expect(service.server.app.webhooks.list(PARTY)).toEqual([])
  })
})
