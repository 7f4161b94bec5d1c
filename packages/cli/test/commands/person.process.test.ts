import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { type CliOptions, runCli } from '../support/run-cli.ts'
import { type Service, SURVEY, startService } from '../support/service.ts'

const ADA = 'ada@example.com'
const READ_KEY = `svc_${'r'.repeat(40)}`

let service: Service
let path: string
let folder: string
/** Ids of the responses of the person: by email, by an answer, and a draft. */
let ids: number[]
beforeEach(async () => {
  service = await startService({ limits: 'off' })
  folder = temporaryDirectory()
  path = join(folder, 'test.db')
  const { responses } = service.server.app
  ids = [
    responses.create(SURVEY, { email: 'Ada@Example.COM', answers: [{ question_id: 'name', value: 'Ada' }] })
      .id,
    responses.create(SURVEY, { answers: [{ question_id: 'why', value: ADA }] }).id,
    responses.create(SURVEY, { status: 'in_progress', answers: [{ question_id: 'name', value: ADA }] }).id,
  ]
})
afterEach(() => service.server.close())

const cli = (argv: string[], options: CliOptions = {}) =>
  runCli(argv, { retriesAtOnce: true, ...options, env: { ...service.env, NO_COLOR: '1', ...options.env } })
const synchronized = () => cli(['sync', '--all', '--drafts', '--to', `sqlite:${path}`, '--once'])
const erase = (...more: string[]) => cli(['person', 'erase', ADA, '--yes', ...more])

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const { sqliteStore } = await import('@formwire/sync/sqlite')
  const store = sqliteStore(path)
  const rows = await store.transaction('', (session) => session.query(sql))
  await store.close()
  return rows
}

/** Recordings of two deliveries, of which one is the person's. */
function recordings(): [own: string, other: string] {
  const directory = join(folder, 'recordings')
  mkdirSync(join(directory, 'deep'), { recursive: true })
  const body = (id: number, value: string) =>
    JSON.stringify({ form: { id: SURVEY }, response: { id, answers: [{ question_id: 'why', value }] } })
  const files = [join(directory, 'deep', 'own.json'), join(directory, 'other.json')] as [string, string]
  writeFileSync(files[0], JSON.stringify({ formwire_recording: 1, body: body(901, ADA) }))
  writeFileSync(files[1], JSON.stringify({ formwire_recording: 1, body: body(902, 'bo@example.com') }))
  return files
}

describe('formwire person find', () => {
  it('[RESP-01] finds responses and drafts by email and by answers, whatever the case of letters', async () => {
    await synchronized()
    const [own] = recordings()
    const argv = ['person', 'find', ADA, '--to', `sqlite:${path}`, '--recordings', folder, '--json']
    const { code, stdout, stderr } = await cli(argv, { env: { FORMWIRE_API_KEY: READ_KEY } })
    expect([code, stderr]).toEqual([0, ''])
    const view = `formwire_form_${SURVEY}`
    const row = (id: number | undefined, columns: string[], status = 'submitted') => ({
      form_id: SURVEY,
      id,
      columns,
      status,
    })
    const report = JSON.parse(stdout)
    expect(report.places[0]).toEqual({
      place: 'service',
      found: [row(ids[1], ['why']), row(ids[0], ['email']), row(ids[2], ['name'], 'in_progress')],
      error: null,
    })
    expect(report.places[1]).toEqual({
      place: 'database',
      found: [
        { workspace_id: '1', ...row(ids[0], ['email']), deleted: false, view },
        { workspace_id: '1', ...row(ids[1], ['why']), deleted: false, view },
        { workspace_id: '1', ...row(ids[2], ['name'], 'in_progress'), deleted: false, view: null },
      ],
      error: null,
    })
    expect(report.places[2]).toEqual({
      place: 'recordings',
      found: [{ form_id: SURVEY, id: 901, columns: ['why'], file: own }],
      error: null,
    })
    expect(report.not_reached.map(({ place }: { place: string }) => place)).toContain('backups')
    expect(stdout.toLowerCase()).not.toContain(ADA)
  })

  it('finds copies that lack the address by the ids of what any other place has', async () => {
    await synchronized()
    await query(`UPDATE formwire_responses SET email = NULL WHERE id = ${ids[0]}`)
    const delivery = {
      event: 'response.submitted',
      form: { id: SURVEY },
      response: { id: ids[0], answers: [] },
    }
    writeFileSync(join(folder, 'delivery.json'), JSON.stringify(delivery))
    const own = { id: ids[2], form_id: SURVEY, answers: [{ question_id: 'name', value: ADA }] }
    writeFileSync(join(folder, 'draft.json'), JSON.stringify(own))
    await query(`UPDATE formwire_responses SET answers = '[]' WHERE id = ${ids[2]}`)
    const places = async (...more: string[]) => {
      const argv = [
        'person',
        'find',
        ADA,
        '--to',
        `sqlite:${path}`,
        '--recordings',
        folder,
        '--json',
        ...more,
      ]
      const { code, stdout, stderr } = await cli(argv)
      expect([code, stderr]).toEqual([0, ''])
      const report: { places: { found: { id: number; columns: string[] }[] }[] } = JSON.parse(stdout)
      return report.places.map(({ found }) => found.map(({ id, columns }) => [id, ...columns]))
    }
    expect((await places()).slice(1)).toEqual([
      [
        [ids[1], 'why'],
        [ids[0], 'id'],
        [ids[2], 'id'],
      ],
      [
        [ids[2], 'name'],
        [ids[0], 'id'],
      ],
    ])
    expect(await places('--no-service')).toEqual([
      [
        [ids[1], 'why'],
        [ids[2], 'id'],
      ],
      [[ids[2], 'name']],
    ])
    expect(await places('--no-service', '--response', `${SURVEY}/${ids[0]}`)).toEqual([
      [
        [ids[1], 'why'],
        [ids[0], 'id'],
        [ids[2], 'id'],
      ],
      [
        [ids[2], 'name'],
        [ids[0], 'id'],
      ],
    ])
    const { stdout } = await cli(['person', 'find', ADA, '--no-service', '--to', `sqlite:${path}`])
    expect(stdout).toContain('copies that lack the address, such as deliveries by webhook')
  })

  it('reads the address from stdin with -, and searches the service alone by default', async () => {
    const { code, stdout } = await cli(['person', 'find', '-'], { stdin: `${ADA}\n` })
    expect(code).toBe(0)
    expect(stdout).toContain(
      `service: found 3 responses\n  form ${SURVEY} · response ${ids[1]} · submitted · why\n`,
    )
    expect(stdout).toContain('not reached:\n  responses of forms in the trash of the service\n')
    expect((await cli(['person', 'find', '--help'])).stdout.replace(/\s+/g, ' ')).toContain(
      'Other users of this machine can read the arguments of a command',
    )
  })

  it.each([
    [['person', 'find', 'ada'], 'EMAIL must be an email address'],
    [['person', 'find', ADA, '--no-service'], 'nowhere to search'],
    [
      ['person', 'find', ADA, '--recordings', '/nowhere/at/all'],
      'cannot read /nowhere/at/all: no such file or directory',
    ],
    [['person', 'find', ADA, '--to', 'sqlite:/nowhere/x.db'], '/nowhere/x.db does not exist'],
    [['person', 'find', ADA, '--queue', 'sqlite:x.db'], '--queue must be postgres or a postgres:// URL'],
    [['person', 'find', ADA, '--schema', 'mine'], '--schema requires --queue'],
    [['person', 'find', ADA, '--tables-schema', 'mine'], '--tables-schema requires --to'],
    [
      ['person', 'find', ADA, '--to', 'sqlite:x.db', '--tables-schema', 'mine'],
      '--tables-schema requires PostgreSQL',
    ],
    [['person', 'find', ADA, '--response', '7'], '--response must be a form id, a slash and a response id'],
    [['person', 'find', ADA, '--to', 'mysql:x'], '--to must be sqlite:PATH or postgres'],
    [['person', 'erase', ADA], 'refusing to delete without confirmation'],
  ])('%j is a usage error: exit 2', async (argv, message) => {
    const { code, stdout, stderr } = await cli(argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })
})

describe('formwire person erase', () => {
  it('[RESP-04] deletes at the service, clears rows, removes records; nothing comes back, and an audit finds no difference', async () => {
    await synchronized()
    const [own, other] = recordings()
    chmodSync(other, 0o640)
    const { code, stdout } = await erase(
      '--to',
      `sqlite:${path}`,
      '--recordings',
      join(folder, 'recordings'),
      '--json',
    )
    expect(code).toBe(0)
    expect(
      JSON.parse(stdout).places.map(({ erased, error }: { erased: number; error: null }) => [erased, error]),
    ).toEqual([
      [3, null],
      [3, null],
      [1, null],
    ])
    expect([existsSync(own), existsSync(other), statSync(other).mode & 0o777]).toEqual([false, true, 0o640])
    const erased = `SELECT id, email, answers, meta, deleted_at IS NULL AS live FROM formwire_responses WHERE id IN (${ids.join(', ')}) ORDER BY id`
    const rows = ids.map((id) => ({ id, email: null, answers: null, meta: null, live: 0 }))
    expect(await query(erased)).toEqual(rows)
    expect((await synchronized()).stdout).toContain('0 inserted, 0 updated, 0 deleted')
    expect(await query(erased)).toEqual(rows)
    expect((await cli(['sync', 'audit', '--drafts', '--to', `sqlite:${path}`])).code).toBe(0)
    const again = await erase('--to', `sqlite:${path}`, '--recordings', join(folder, 'recordings'))
    expect(again.code).toBe(0)
    expect(again.stdout.split('\n').slice(0, 3)).toEqual([
      'service: found 0 responses, erased 0',
      'database: found 0 rows, erased 0',
      'recordings: found 0 records, erased 0',
    ])
  })

  it('[AUTH-03] does the other places when the key may not delete, and a second run does the rest', async () => {
    await synchronized()
    const first = await cli(['person', 'erase', ADA, '--yes', '--to', `sqlite:${path}`], {
      env: { FORMWIRE_API_KEY: READ_KEY },
    })
    expect(first.code).toBe(4)
    expect(first.stdout).toContain('service: found 3 responses, erased 0\n')
    expect(first.stdout).toContain('  failed: could not erase in the service: ')
    expect(first.stdout).toContain('database: found 3 rows, erased 3\n')
    const second = await erase('--to', `sqlite:${path}`)
    expect(second.code).toBe(0)
    expect(second.stdout).toContain('service: found 3 responses, erased 3\n')
    expect(second.stdout).toContain('database: found 0 rows, erased 0\n')
  })

  it('erases copies that lack the address, and names what a second run needs when a place fails', async () => {
    await synchronized()
    await query(`UPDATE formwire_responses SET email = NULL WHERE id = ${ids[0]}`)
    const file = join(folder, 'delivery.json')
    const delivery = (id: number) => ({ form: { id: SURVEY }, response: { id, answers: [] } })
    writeFileSync(file, `${JSON.stringify(delivery(ids[0] as number))}\n${JSON.stringify(delivery(99))}\n`)
    const broken = join(folder, 'broken.db')
    writeFileSync(broken, 'no database')
    const first = await erase('--to', `sqlite:${broken}`, '--recordings', file)
    expect(first.code).toBe(1)
    expect(first.stdout).toContain('database: not searched\n  failed: ')
    expect(first.stdout).toContain(`recordings: found 1 record, erased 1\n  ${file} · form ${SURVEY} · `)
    expect(first.stdout).toContain(' · found by its id\n')
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(delivery(99))}\n`)
    const flags = [1, 0, 2].flatMap((at) => ['--response', `${SURVEY}/${ids[at]}`])
    expect(first.stdout).toContain(
      `to find copies that lack the address when you run the command again, add ${flags.join(' ')}\n`,
    )
    const second = await erase('--to', `sqlite:${path}`, ...flags)
    const found = ['service: found 0 responses, erased 0', 'database: found 3 rows, erased 3']
    expect(second.stdout.split('\n').slice(0, 2)).toEqual(found)
    const left = `SELECT id FROM formwire_responses WHERE id IN (${ids.join(', ')}) AND answers IS NOT NULL`
    expect(await query(left)).toEqual([])
    expect((await erase('--to', `sqlite:${path}`, ...flags)).stdout).toContain('database: found 0 rows')
  })

  it('names what a second run needs when the only place with the address is erased and another one fails', async () => {
    await synchronized()
    const file = join(folder, 'large.json')
    writeFileSync(file, '')
    truncateSync(file, 300 * 1024 * 1024)
    const first = await erase('--no-service', '--to', `sqlite:${path}`, '--recordings', file)
    expect(first.code).toBe(1)
    expect(first.stdout).toContain('database: found 3 rows, erased 3\n')
    expect(first.stdout).toContain('recordings: not searched\n')
    const flags = ids.map((id) => `--response ${SURVEY}/${id}`).join(' ')
    expect(first.stdout).toContain(`when you run the command again, add ${flags}\n`)
  })

  it('names what a second run needs when it is stopped', async () => {
    await synchronized()
    const stop = new AbortController()
    const running = cli(['person', 'erase', ADA, '--yes', '--to', `sqlite:${path}`], { stop: stop.signal })
    const deletions = () =>
      service.server.app.requests.list().filter(({ method }) => method === 'DELETE').length
    service.server.app.faults.add({ method: 'DELETE', delay_ms: 500 })
    await expect.poll(deletions, { timeout: WAIT_MS }).toBe(1)
    stop.abort()
    expect((await running).stderr).toContain(`add --response ${SURVEY}/${ids[1]}`)
  })

  it('erases what a synchronization writes again meanwhile, or says that it is there', async () => {
    await synchronized()
    await query('CREATE TABLE races (id INTEGER)')
    await query('INSERT INTO races VALUES (1)')
    await query(`CREATE TRIGGER race AFTER UPDATE ON formwire_responses
      WHEN NEW.answers IS NULL AND EXISTS (SELECT 1 FROM races) BEGIN DELETE FROM races;
      UPDATE formwire_responses SET answers = OLD.answers, deleted_at = NULL WHERE id = NEW.id; END`)
    const left = `SELECT id FROM formwire_responses WHERE id IN (${ids.join(', ')}) AND answers IS NOT NULL`
    const first = await erase('--to', `sqlite:${path}`)
    expect([first.code, await query(left)]).toEqual([0, []])
    expect(first.stdout).toContain('database: found 3 rows, erased 3\n')
    await query('DROP TRIGGER race')
    await query(`UPDATE formwire_responses SET answers = '[]' WHERE id = ${ids[0]}`)
    await query(`CREATE TRIGGER race AFTER UPDATE ON formwire_responses WHEN NEW.answers IS NULL BEGIN
      UPDATE formwire_responses SET answers = OLD.answers, deleted_at = NULL WHERE id = NEW.id; END`)
    const second = await erase('--to', `sqlite:${path}`, '--response', `${SURVEY}/${ids[0]}`)
    expect(second.code).toBe(1)
    expect(second.stdout).toContain('database: found 1 row, erased 0\n')
    expect(second.stdout).toContain(
      '  failed: could not erase in the database: 1 row written again meanwhile; ',
    )
  })

  it('erases rows that were marked deleted with their content', async () => {
    await synchronized()
    service.server.app.responses.delete(SURVEY, ids[0] as number)
    await synchronized()
    const { stdout } = await erase('--no-service', '--to', `sqlite:${path}`, '--json')
    const [database] = JSON.parse(stdout).places
    expect(database.found[0]).toMatchObject({ id: ids[0], deleted: true, view: null })
    expect(database.erased).toBe(3)
  })

  it('prompts on a terminal with what was found, and does nothing when declined', async () => {
    const declined = await cli(['person', 'erase', ADA], { reply: 'n\n', terminal: 200, errorTerminal: true })
    expect(declined.code).toBe(0)
    expect(declined.stderr).toContain('Delete 3 responses (service)? This cannot be undone.')
    expect(service.server.app.responses.list(SURVEY, 'submitted', 0, 10).items).toHaveLength(4)
  })

  it('reports a database without tables, a damaged row and what stays in files', async () => {
    await query('CREATE TABLE mine (id INTEGER)')
    writeFileSync(join(folder, 'notes.txt'), `Call ${ADA}`)
    const { code, stdout } = await erase('--to', `sqlite:${path}`, '--recordings', join(folder, 'notes.txt'))
    expect(code).toBe(1)
    expect(stdout).toContain('service: found 3 responses, erased 3\n')
    expect(stdout).toContain('  failed: the database has no tables of @formwire/sync')
    expect(stdout).toContain('notes.txt has the address in another place, which stays')
    path = join(folder, 'damaged.db')
    await synchronized()
    await query(`UPDATE formwire_responses SET answers = '[{"value":"${ADA}"' WHERE id = 1`)
    const found = await cli(['person', 'find', ADA, '--no-service', '--to', `sqlite:${path}`])
    expect(found.stdout).toContain('database: found 1 row\n')
  })
})
