import { join } from 'node:path'
import { sqliteStore } from '@formwire/sync/sqlite'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { Stopped } from '../../src/failure.ts'
import { runCli } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, testService } from '../support/service.ts'

let service: Service
let path: string
beforeEach(async () => {
  service = await testService({ limits: 'off' })
  path = join(temporaryDirectory(), 'test.db')
})

describe('what formwire sync reports on stderr', () => {
  it('is a progress bar while a long form is read', async () => {
    for (let number = 0; number < 2499; number += 1) service.server.app.responses.create(PARTY, {})
    const { stdout, stderr } = await runCli(['sync', PARTY, '--to', `sqlite:${path}`, '--once'], {
      env: { ...service.env, NO_COLOR: '1' },
      retriesAtOnce: true,
      terminal: 80,
      errorTerminal: true,
    })
    const shown = stderr.split('\r\u001b[2K')
    expect(shown).toEqual([
      '',
      `━━━━──────────────── 500 of 2,499 responses (20%) · ${PARTY}`,
      `━━━━━━━━──────────── 1,000 of 2,499 responses (40%) · ${PARTY}`,
      `━━━━━━━━━━━━──────── 1,500 of 2,499 responses (60%) · ${PARTY}`,
      `━━━━━━━━━━━━━━━━──── 2,000 of 2,499 responses (80%) · ${PARTY}`,
      '',
    ])
    expect(stdout).toMatch(/^1 form: 2,499 inserted, 0 updated, 0 deleted \(/)
  })

  it('is one line of state on a terminal while it follows, in place of a line per change', async () => {
    const stop = new AbortController()
    const { app } = service.server
    let shown = ''
    const { code, stdout } = await runCli(['sync', '--all', '--to', `sqlite:${path}`, '--interval', '10ms'], {
      env: { ...service.env, NO_COLOR: '1' },
      retriesAtOnce: true,
      terminal: 80,
      errorTerminal: true,
      stop: stop.signal,
      onStderr(text) {
        shown += text
        if (text.includes('2 inserted') && text.includes('up to date at')) app.responses.create(PARTY, {})
        if (text.includes('3 inserted')) stop.abort(new Stopped('interrupted', 'SIGINT'))
      },
    })
    expect(code).toBe(130)
    expect(stdout).toMatch(/^2 forms: 3 inserted, 0 updated, 0 deleted \([^)]+\)\n$/)
    const lines = shown.replaceAll('\r\u001b[2K', '\n').split('\n')
    expect(lines.filter((line) => line !== '').slice(0, 2)).toEqual([
      '◦ following changes (Ctrl-C to stop)',
      'reading · 2 inserted, 0 updated, 0 deleted',
    ])
    expect(lines).toContain('✓ up to date: 2 forms, 2 inserted, 0 updated, 0 deleted')
    expect(lines).toContain('up to date at 12:00:00Z · 3 inserted, 0 updated, 0 deleted')
    expect(lines.at(-1)).toBe('')
    expect(shown).not.toMatch(/inserted\t/)
  })

  it.each([
    ['resets connections', { path: '/api/v1/forms/*', reset: true }],
    ['responds with 503', { path: '/api/v1/forms/*', status: 503 }],
  ])('is an outage, once when it begins and once when it ends: the server %s', async (_name, fault) => {
    // Each round fails after three retries.
    service.server.app.faults.add({ ...fault, times: 12 } as never)
    const stop = new AbortController()
    const { stderr } = await runCli(['sync', SURVEY, '--to', `sqlite:${path}`], {
      env: { ...service.env, NO_COLOR: '1' },
      retriesAtOnce: true,
      stop: stop.signal,
      onStdout: () => stop.abort(new Stopped('interrupted', 'SIGINT')),
    })
    expect(stderr.split('\n')).toEqual([
      'following changes (Ctrl-C to stop)',
      expect.stringMatching(/^connection lost \([^)]+\); reconnecting$/),
      'connected again',
      '',
    ])
  })
  it('names a form that is lost once, and goes on', async () => {
    const stop = new AbortController()
    const { app } = service.server
    let isTrashed = false
    const { code, stderr } = await runCli(
      ['sync', SURVEY, PARTY, '--to', `sqlite:${path}`, '--interval', '1ms'],
      {
        env: { ...service.env, NO_COLOR: '1' },
        retriesAtOnce: true,
        stop: stop.signal,
        onStdout() {
          if (!isTrashed) app.forms.trash(SURVEY)
          isTrashed = true
        },
        async onStderr(text) {
          if (!text.includes(SURVEY)) return
          const before = app.requests.list().length
          await vi.waitUntil(() => app.requests.list().length > before + 30, { timeout: WAIT_MS })
          stop.abort(new Stopped('interrupted', 'SIGINT'))
        },
      },
    )
    expect(code).toBe(130)
    expect(stderr).toBe(
      `following changes (Ctrl-C to stop)\nform ${SURVEY} was trashed or is no longer accessible; its rows stay, and it will be retried\n`,
    )
    const store = sqliteStore(path)
    onTestFinished(() => store.close())
    const deleted = 'SELECT id FROM formwire_responses WHERE deleted_at IS NOT NULL'
    expect(await store.transaction('', (session) => session.query(deleted))).toEqual([])
  })
})
