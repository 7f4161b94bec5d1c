import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from '@formwire/sync/sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cli, type Json, ServerProcess, startCli } from './support.ts'

let server: ServerProcess
let form: Json
let folder: string
let files = 0
let path: string

const env = (extra: Record<string, string> = {}) => ({
  FORMWIRE_API_KEY: server.first.write_key,
  FORMWIRE_BASE_URL: server.first.url,
  ...extra,
})
const sync = (...argv: string[]) => cli(['sync', ...argv], env())
const respond = (id: string, name: string) =>
  server.app('POST', `/forms/${id}/responses`, { answers: [{ question_id: 'q1', value: name }] })

async function query(sql: string): Promise<Json[]> {
  const store = sqliteStore(path)
  try {
    return await store.read(sql)
  } finally {
    await store.close()
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'formwire-sync-cli-'))
  server = await ServerProcess.start('--seed', 'empty', '--clock', 'manual', '--rate-limits', 'off')
  form = await server.publishedForm([{ id: 'q1', type: 'short_text', title: 'Name' }])
  for (const name of ['Ada', 'Bo', 'Cy']) await respond(form.id, name)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  files += 1
  path = join(folder, `${files}.db`)
})

describe('formwire sync --once', () => {
  it('makes the database equal to the service, and costs at most ten requests when nothing changed', async () => {
    const first = await sync(form.id, '--to', `sqlite:${path}`, '--once', '--json')
    expect([first.code, first.stderr]).toEqual([0, ''])
    const summary = JSON.parse(first.stdout)
    expect(Object.keys(summary)).toEqual([
      'forms',
      'inserted',
      'updated',
      'deleted',
      'requests',
      'duration_ms',
    ])
    expect(summary).toMatchObject({ forms: 1, inserted: 3, updated: 0, deleted: 0 })
    expect(await query(`SELECT q1 FROM formwire_form_${form.id.toLowerCase()} ORDER BY id`)).toEqual([
      { q1: 'Ada' },
      { q1: 'Bo' },
      { q1: 'Cy' },
    ])
    expect(await query('SELECT id, title, deleted_at FROM formwire_forms')).toEqual([
      { id: form.id, title: 'Acceptance', deleted_at: null },
    ])
    const again = JSON.parse((await sync(form.id, '--to', `sqlite:${path}`, '--once', '--json')).stdout)
    expect(again).toMatchObject({ inserted: 0, updated: 0, deleted: 0 })
    expect(again.requests).toBeLessThanOrEqual(10)
  })

  it('marks a deleted response and keeps its columns, or clears them with --deleted erase', async () => {
    const other = await server.publishedForm([{ id: 'q1', type: 'short_text', title: 'Name' }])
    const ids: number[] = []
    for (const name of ['Di', 'Ed', 'Flo']) ids.push((await respond(other.id, name)).body.data.id)
    const argv = [other.id, '--to', `sqlite:${path}`, '--once']
    await sync(...argv)
    const state = () =>
      query(
        'SELECT answers IS NULL AS erased, deleted_at IS NULL AS live FROM formwire_responses ORDER BY id',
      )
    await server.api('DELETE', `/forms/${other.id}/responses/${ids[0]}`)
    expect((await sync(...argv, '--no-deletions')).stdout).toContain(' 0 deleted')
    expect((await sync(...argv)).stdout).toContain(' 1 deleted')
    expect(await state()).toEqual([
      { erased: 0, live: 0 },
      { erased: 0, live: 1 },
      { erased: 0, live: 1 },
    ])
    await server.api('DELETE', `/forms/${other.id}/responses/${ids[1]}`)
    expect((await sync(...argv, '--deleted', 'erase')).stdout).toContain(' 1 deleted')
    expect(await state()).toEqual([
      { erased: 1, live: 0 },
      { erased: 1, live: 0 },
      { erased: 0, live: 1 },
    ])
  })

  it('exits 3 for an unknown form after the others, 4 for a wrong key, 6 without a server, 1 for a lasting 5xx', async () => {
    const argv = ['sync', form.id, '--to', `sqlite:${path}`, '--once']
    const unknown = await cli(['sync', 'unknown00000', ...argv.slice(1)], env())
    expect(unknown.code).toBe(3)
    expect(unknown.stderr).toContain('unknown00000')
    expect(await query('SELECT count(*) AS rows FROM formwire_responses')).toEqual([{ rows: 3 }])
    const refused = await Promise.all([
      cli(argv, env({ FORMWIRE_API_KEY: `svc_${'x'.repeat(40)}` })),
      cli(argv, { FORMWIRE_BASE_URL: server.first.url }),
      cli(argv, env({ FORMWIRE_BASE_URL: 'http://127.0.0.1:9' })),
    ])
    expect(refused.map(({ code }) => code)).toEqual([4, 4, 6])
    await server.app('POST', '/faults', { status: 503 })
    expect((await cli(argv, env())).code).toBe(1)
    await server.app('DELETE', '/faults')
  })

  it('exits 2 without doing anything when it is called in a wrong way, and repeats no password', async () => {
    for (const argv of [
      [form.id, '--all', '--to', `sqlite:${path}`],
      [form.id, '--to', path],
      [form.id, '--to', 'sqlite:'],
      [form.id, '--to', 'postgres://me:hush@127.0.0.1/db'],
    ]) {
      const { code, stdout, stderr } = await sync(...argv, '--once')
      expect([argv, code, stdout]).toEqual([argv, 2, ''])
      expect(stderr).not.toContain('hush')
    }
    expect(existsSync(path)).toBe(false)
  })

  it('exits 1 and leaves a file alone that is no database, or damaged', async () => {
    writeFileSync(path, 'name\nAda\n')
    expect((await sync(form.id, '--to', `sqlite:${path}`, '--once')).code).toBe(1)
    expect(readFileSync(path, 'utf8')).toBe('name\nAda\n')
    rmSync(path)
    await sync(form.id, '--to', `sqlite:${path}`, '--once')
    const bytes = readFileSync(path).fill(0x5a, 4096, 12_288)
    writeFileSync(path, bytes)
    expect((await sync(form.id, '--to', `sqlite:${path}`, '--once')).code).toBe(1)
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  it('exits 1 when PostgreSQL cannot be reached, with the password in no output', async () => {
    const { code, stdout, stderr } = await cli(
      ['sync', form.id, '--to', 'postgres', '--once'],
      env({ FORMWIRE_DATABASE_URL: 'postgres://me:hush@127.0.0.1:9/db' }),
    )
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).not.toContain('hush')
  })
})

describe('formwire sync', () => {
  /** Follows a form, and calls `onLines` with the lines that were printed so far, whenever there are more. */
  async function follow(
    key: string,
    onLines: (lines: Json[], child: ChildProcess) => void,
  ): Promise<{ code: number | null; lines: Json[]; output: string }> {
    const argv = ['sync', form.id, '--to', `sqlite:${path}`, '--interval', '10ms', '--json']
    const running = startCli(argv, env({ FORMWIRE_API_KEY: key }))
    const lines = (): Json[] =>
      running.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    running.child.stdout.on('data', () => onLines(lines(), running.child))
    const { code, stdout, stderr } = await running.finished
    return { code, lines: lines(), output: stdout + stderr }
  }

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('prints a line a change and the summary at the end: %s, exit %i', async (signal, code) => {
    const before = (await server.api('GET', `/forms/${form.id}/responses`)).body.meta.total
    let added: Promise<Json> | undefined
    let isStopped = false
    const run = await follow(server.first.write_key, (lines, child) => {
      if (lines.length === before) added ??= respond(form.id, 'Gus')
      // Once: a second signal ends the program at once.
      if (lines.length > before && !isStopped) isStopped = child.kill(signal)
    })
    expect(run.code).toBe(code)
    const { id } = (await added).body.data
    expect(run.lines[before]).toEqual({ event: 'inserted', form_id: form.id, id, status: 'submitted' })
    expect(run.lines.at(-1)).toMatchObject({ forms: 1, inserted: before + 1, updated: 0, deleted: 0 })
    expect(run.lines).toHaveLength(before + 2)
    expect(run.output).not.toContain(server.first.write_key)
  })

  it('ends with 4 when the key is revoked', async () => {
    const { id, key } = (await server.app('POST', '/keys', { name: 'short', scope: 'read' })).body.data
    let revoking: Promise<Json> | undefined
    const { code, lines } = await follow(key, () => {
      revoking ??= server.app('DELETE', `/keys/${id}`)
    })
    expect([(await revoking).status, code]).toEqual([200, 4])
    expect(lines.at(-1)).toMatchObject({ forms: 1 })
  })
})

describe('formwire sync into the database of another workspace', () => {
  it('adds the forms of the key beside those of the other workspace, which stay as they are', async () => {
    const { body } = await server.app('POST', '/workspaces', { name: 'Other', plan: 'business' })
    await server.app('PUT', `/workspaces/${body.data.id}/members/${server.first.user_id}`, { role: 'owner' })
    const key = await server.app('POST', '/keys', { name: 'x', scope: 'read', workspace_id: body.data.id })
    const argv = ['sync', '--all', '--to', `sqlite:${path}`, '--once']
    expect((await cli(argv, env())).code).toBe(0)
    const before = await query('SELECT * FROM formwire_forms')
    expect(before.length).toBeGreaterThan(0)
    const run = await cli([...argv, '--json'], env({ FORMWIRE_API_KEY: key.body.data.key }))
    expect(run.code).toBe(0)
    expect(await query('SELECT * FROM formwire_forms')).toEqual(before)
  })
})
