import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { startListen, startPlain } from '../support/listen.ts'
import { runCli } from '../support/run-cli.ts'
import { eachService, PARTY, testService } from '../support/service.ts'
import { isAlive, until } from '../support/wait.ts'

const service = eachService({ limits: 'off' })
const env = () => ({ ...service.env, FORMWIRE_ADMIN_TOKEN: undefined, PATH: process.env.PATH })

const endpoints = (formId: string) => service.server.app.webhooks.list(formId)

describe('listen -- COMMAND', () => {
  const listenTo = (script: string, args: string[] = []) =>
    startPlain(['listen', '--form', PARTY, ...args, '--', process.execPath, '-e', script], env())

  it('starts it with the secret, and ends with it and its exit code', async () => {
    const running = listenTo(
      `console.log(process.env.FORMWIRE_WEBHOOK_SECRET.slice(0, 6)); process.exitCode = 7`,
    )
    const { code, stdout, stderr } = await running.result
    expect([code, stdout]).toEqual([7, 'whsec_\n'])
    expect(stderr.split('\n').slice(-3)).toEqual([
      'the command exited with code 7',
      expect.stringMatching(/^deleted temporary endpoint \d+ on form party0000001$/),
      '',
    ])
    expect(stderr).not.toContain('whsec_')
    expect(endpoints(PARTY)).toEqual([])
  })
  it('with --json keeps stdout for deliveries', async () => {
    const { code, stdout, stderr } = await listenTo(`console.log('ready')`, ['--json']).result
    const end = `{"event":"command_ended","message":"the command exited with code 0","exit_code":0,"signal":null}\n`
    expect([code, stdout, stderr.endsWith(`ready\n${end}`)]).toEqual([0, '', true])
    expect(stderr).not.toContain('whsec_')
  })
  it('exits with 127 when it is not found, before an endpoint is created', async () => {
    const notFound = (name: string) => ({
      code: 127,
      stdout: '',
      stderr: `formwire: command not found: ${name}\n`,
    })
    for (const name of ['no-such-command', './no-such-command', 'usr'])
      expect(await runCli(['listen', '--form', PARTY, '--', name], { env: { ...env(), PATH: '/' } })).toEqual(
        notFound(name),
      )
  })
  it('exits with 126 when it is not executable, before an endpoint is created', async () => {
    const directory = temporaryDirectory()
    const file = join(directory, 'app')
    writeFileSync(file, '', { mode: 0o600 })
    const refused = (name: string) => ({
      code: 126,
      stdout: '',
      stderr: `formwire: cannot start ${name}: permission denied\n  check that it is an executable file\n`,
    })
    expect(await runCli(['listen', '--form', PARTY, '--', file], { env: env() })).toEqual(refused(file))
    expect(
      await runCli(['listen', '--form', PARTY, '--', 'app'], { env: { ...env(), PATH: directory } }),
    ).toEqual(refused('app'))
  })
  it('exits with 128 + the number of the signal that ended it', async () => {
    const { code, stderr } = await listenTo(`process.kill(process.pid, 'SIGKILL')`, ['--quiet']).result
    expect([code, stderr]).toEqual([
      137,
      expect.stringMatching(/^listening on \S+\nthe command was ended by SIGKILL \(exit code 137\)\n$/),
    ])
  })
  it('ends it when listen is interrupted', async () => {
    const running = listenTo(
      `process.on('SIGTERM', () => { console.log('bye'); process.exit() }); console.log('up'); setInterval(() => {}, 1000)`,
    )
    await until('the command', () => running.lines.join('').includes('up'))
    const { code, stdout, stderr } = await running.end()
    expect([code, stdout, stderr.includes('the command')]).toEqual([130, 'up\nbye\n', false])
  })
  it('starts examples/express-receiver with its secret', async () => {
    // It verifies with the clock of this machine.
    Object.assign(service, await testService({ now: Date.now(), limits: 'off' }))
    const { app } = service.server
    const questions = [{ id: 'email', type: 'email' as const, title: 'Your email' }]
    const { id: form } = app.forms.create({ title: 'Newsletter', questions })
    app.forms.publish(form)
    const port = String(await freePort())
    const example = new URL('../../../../examples/express-receiver/src/main.ts', import.meta.url)
    const command = [process.execPath, await bundled(example)]
    const running = await startListen(
      [...`--form ${form} --forward-to ${port}/webhooks/formwire --count 1 --json --`.split(' '), ...command],
      {
        ...env(),
        PORT: port,
        RESPONSES: temporaryDirectory(),
      },
      { now: Date.now(), onSleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()) },
    )
    await until('the endpoint', () => endpoints(form).length === 1)
    // Before the handler listens: the delivery waits for it.
    const answers = [{ question_id: 'email', value: 'di@example.com' }]
    app.responses.create(form, { answers, deliver: true })
    const { code, stderr } = await running.result
    expect(running.lines.map((line) => (JSON.parse(line) as { answered: number }).answered)).toEqual([200])
    expect([code, stderr]).toEqual([0, expect.stringContaining('listening on http://127.0.0.1:')])
    expect(stderr).not.toContain('whsec_')
  })
})

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
    const waits = new Map<number, () => void>()
    const argv = ['listen', '--form', PARTY, '--', process.execPath, '-e', script]
    const running = startPlain(argv, service.env, {
      onSleep: (ms) => new Promise((resolve) => waits.set(ms, resolve)),
    })
    const stdout = () => running.lines.join('')
    await until('the command', () => /^\d+\n/m.test(stdout()))
    const descendant = Number(/^\d+$/m.exec(stdout())?.[0])
    const result = running.end()
    await until('the wait for the command', () => waits.has(GRACE_MS))
    expect(running.stderr()).not.toContain('waiting for the command')

    waits.get(PATIENCE_MS)?.()
    await until('its announcement', () => running.stderr().includes('waiting for the command'))
    expect(running.stderr()).toMatch(/\nwaiting for the command to end \(press Ctrl-C again to kill it\)\n$/)
    expect(isAlive(descendant)).toBe(true)

    waits.get(GRACE_MS)?.()
    expect((await result).code).toBe(130)
    expect(running.stderr()).toMatch(/\nthe command ignored SIGTERM for 5 s and was killed\n$/)
    await until('the end of the process that the command has started', () => !isAlive(descendant))
    expect(endpoints(PARTY)).toEqual([])
  })
})
