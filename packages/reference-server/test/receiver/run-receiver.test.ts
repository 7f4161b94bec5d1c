import { describe, expect, it } from 'vitest'
import { runReceiver } from '../../src/receiver/index.ts'
import { deferred } from '../support/deferred.ts'
import { sendSigned } from '../support/signed.ts'

/** Runs the command until the test stops it. */
function run(argv: string[], env: Record<string, string> = {}) {
  const written = { out: '', error: '' }
  const { promise: stopped, resolve: stop } = deferred()
  const lines: ((line: string) => void)[] = []
  const code = runReceiver(argv, {
    out: (text) => {
      written.out += text
      for (const hear of lines.splice(0)) hear(text.trim())
    },
    error: (text) => {
      written.error += text
    },
    env,
    untilStopped: () => stopped,
  })
  return { written, code, stop, nextLine: () => new Promise<string>((resolve) => lines.push(resolve)) }
}

describe('formwire-server receiver', () => {
  it('prints its URL, then one JSON object per delivery', async () => {
    const command = run(['--json', '--script', '500, slow(1)'], { FORMWIRE_WEBHOOK_SECRET: 'whsec_a' })
    const { event, url } = JSON.parse(await command.nextLine())
    expect(event).toBe('listening')
    const line = command.nextLine()
    const timestamp = Math.floor(Date.now() / 1000)
    expect((await sendSigned(url, 'whsec_a', { timestamp })).status).toBe(500)
    expect(JSON.parse(await line)).toMatchObject({
      event: 'delivery',
      id: 'dlv_1',
      attempt: 1,
      type: 'response.submitted',
      verified: true,
      error: null,
      payload: { response: { id: 7 } },
    })
    command.stop()
    expect(await command.code).toBe(0)
    expect(command.written.error).toBe('')
  })

  it('prints text without --json and strips control characters of a sender', async () => {
    const command = run([])
    const url = (await command.nextLine()).replace('Listening on ', '')
    expect(command.written.error).toContain('Signatures are not verified')
    const line = command.nextLine()
    await fetch(url, {
      method: 'POST',
      headers: { 'x-service-event': 'bell\u00e9' },
      body: '{"form":{"id":"\\u001b[2J"}}',
    })
    expect(await line).toBe('bell? (no delivery id) attempt 1: form ?[2J, response ?, 27 bytes, not verified')
    command.stop()
    expect(await command.code).toBe(0)
  })

  it.each([
    [['--port', 'x'], '--port must be an integer from 0 to 65535'],
    [['--port', '70000'], '--port must be an integer from 0 to 65535'],
    [['--script', 'soon'], 'Invalid step "soon"'],
    [['--nonsense'], '--nonsense'],
    [['extra'], 'extra'],
  ])('rejects %j with exit code 2', async (argv, message) => {
    const command = run(argv)
    expect(await command.code).toBe(2)
    expect(command.written.error).toContain(message)
    expect(command.written.out).toBe('')
  })

  it('prints its help', async () => {
    const command = run(['--help'])
    expect(await command.code).toBe(0)
    expect(command.written.out).toContain('Usage: formwire-server receiver')
  })

  it('exits with 1 if it cannot listen', async () => {
    const first = run(['--json'])
    const { url } = JSON.parse(await first.nextLine())
    const second = run(['--port', new URL(url).port])
    expect(await second.code).toBe(1)
    expect(second.written.error).toContain('cannot listen on 127.0.0.1')
    first.stop()
    await first.code
  })
})
