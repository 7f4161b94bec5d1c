import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { runCli } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, startService } from '../support/service.ts'

let service: Service
let path: string
beforeEach(async () => {
  service = await startService({ limits: 'off' })
  path = join(temporaryDirectory(), 'test.db')
})
afterEach(() => service.server.close())

const cli = (argv: string[], env: Record<string, string> = {}) =>
  runCli(argv, { env: { ...service.env, NO_COLOR: '1', ...env }, retriesAtOnce: true })
const audited = (...more: string[]) => cli(['sync', 'audit', '--to', `sqlite:${path}`, ...more])
const synchronized = () => cli(['sync', '--all', '--to', `sqlite:${path}`, '--once'])

async function change(sql: string): Promise<void> {
  const { sqliteStore } = await import('@formwire/sync/sqlite')
  const store = sqliteStore(path)
  await store.transaction('', (session) => session.query(sql))
  await store.close()
}

describe('formwire sync audit', () => {
  it('prints a line per form, and the number of requests: exit 0', async () => {
    await synchronized()
    const { code, stdout, stderr } = await audited()
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(
      new RegExp(
        `^${SURVEY}: equal: 2 rows, 2 responses \\(hash [\\da-f]{12}\\)\n${PARTY}: equal: 0 rows, 0 responses \\(hash 0{12}\\)\n2 forms: equal \\(4 requests\\)\n$`,
      ),
    )
  })

  it('names the first differences, never their content: exit 1', async () => {
    await synchronized()
    await change("UPDATE formwire_responses SET answers = replace(answers, 'Bo', 'Ba') WHERE id = 1")
    await change('DELETE FROM formwire_responses WHERE id = 2')
    const { code, stdout } = await audited()
    expect(code).toBe(1)
    expect(stdout).toMatch(/: different: 1 row, 2 responses: 1 missing, 0 extra, 1 different \(hash /)
    expect(stdout).toContain('\n  missing 2\n  different 1: answers\n')
    expect(stdout).toMatch(/\n2 forms: 1 different \(6 requests\)\n$/)
    expect(stdout).not.toMatch(/Bo|Ba/)
  })

  it('reports a view that is missing', async () => {
    await synchronized()
    await change(`DROP VIEW formwire_form_${SURVEY}`)
    expect((await audited()).stdout).toContain('1 different (hash ')
    expect((await audited()).stdout).toContain('\n  view: missing\n')
  })

  it('prints one JSON document with --json', async () => {
    await synchronized()
    await change('UPDATE formwire_responses SET id = 9 WHERE id = 1')
    const { code, stdout } = await audited('--form', SURVEY, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      equal: false,
      forms: [
        {
          id: SURVEY,
          rows: 2,
          responses: 2,
          equal: false,
          missing: 1,
          extra: 1,
          different: 0,
          first: [
            { id: 1, kind: 'missing', columns: [] },
            { id: 9, kind: 'extra', columns: [] },
          ],
          hashes: {
            table: expect.stringMatching(/^[\da-f]{64}$/),
            service: expect.stringMatching(/^[\da-f]{64}$/),
          },
        },
      ],
      requests: 5,
    })
  })

  it('[AUTH-03] works with a read key', async () => {
    await synchronized()
    const { code } = await cli(['sync', 'audit', '--to', `sqlite:${path}`, '--drafts'], {
      FORMWIRE_API_KEY: `svc_${'r'.repeat(40)}`,
    })
    // The draft of the seed is not synchronized.
    expect(code).toBe(1)
  })

  it('refuses a database that does not exist, which it does not create: exit 2', async () => {
    const { code, stdout, stderr } = await audited()
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`${path} does not exist`)
    expect(existsSync(path)).toBe(false)
    expect((await cli(['sync', 'audit'])).stderr).toContain('missing required option --to')
  })

  it('refuses a database without tables: exit 1', async () => {
    await change('CREATE TABLE mine (id INTEGER)')
    const { code, stderr } = await audited()
    expect(code).toBe(1)
    expect(stderr).toContain('the database has no tables of @formwire/sync')
    expect(stderr).not.toContain('--schema')
  })

  it('says that the tables have no rows of the forms, when nothing was synchronized into them', async () => {
    await synchronized()
    await change('DELETE FROM formwire_responses')
    const { code, stderr } = await audited()
    expect([code, stderr]).toEqual([1, expect.stringContaining('the tables have no rows of these forms')])
  })

  it('reports an unknown form: exit 3', async () => {
    await synchronized()
    const { code, stderr } = await audited('--form', 'unknown00000')
    expect(code).toBe(3)
    expect(stderr).toContain('form unknown00000 not found')
  })

  it('is listed with sync status beside sync in help as JSON, and sync keeps its own help', async () => {
    const tree = JSON.parse((await cli(['sync', '--help', '--json'])).stdout)
    expect(
      tree.commands.map(({ name, commands }: { name: string; commands?: object[] }) => [
        name,
        commands?.length,
      ]),
    ).toEqual([
      ['sync', undefined],
      ['sync', 2],
    ])
    expect((await cli(['sync', '--help'])).stdout).toContain('formwire sync [options] [forms...]')
    expect((await cli(['help', 'sync', 'audit'])).stdout).toContain('formwire sync audit [options]')
    const completed = (await cli(['__complete', 'sync', ''])).stdout
    for (const word of ['status', 'audit']) expect(completed).toContain(word)
  })
})
