import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { run } from './run-bin.ts'

let folder = ''
let file = ''
beforeEach(() => {
  folder = temporaryDirectory()
  file = join(folder, 'state.json')
})

describe('formwire-server --state', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('saves on %s and exits with 0', async (signal) => {
    const first = run(['--port', '0', '--seed', 'empty', '--state', file, '--json'])
    const { url, admin_token: token } = JSON.parse(await first.firstLine) as Record<string, string>
    await fetch(`${url}/_app/forms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Saved by a signal' }),
    })
    first.child.kill(signal)
    expect(await first.finished).toMatchObject({ code: 0, stderr: '' })
    expect(await readFile(file, 'utf8')).toContain('Saved by a signal')
  })

  it('saves the whole state when a second signal follows', async () => {
    const { child, firstLine, finished } = run(['--port', '0', '--state', file, '--json'])
    const { url, admin_token: token } = JSON.parse(await firstLine) as Record<string, string>
    // An open request keeps a closing server waiting, so that the second signal comes before it has closed.
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const stream = await fetch(`${url}/_app/deliveries/stream`, { headers })
    child.kill('SIGTERM')
    child.kill('SIGINT')
    child.kill('SIGTERM')
    expect((await finished).code).toBe(0)
    await stream.text().catch(() => '')
    const saved = JSON.parse(await readFile(file, 'utf8')) as { state: { forms: { forms: object[] } } }
    expect(saved.state.forms.forms.length).toBeGreaterThan(3)
    expect(await readdir(folder)).toEqual(['state.json'])
  })
})
