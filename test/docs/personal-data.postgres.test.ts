/** Runs the statements of docs/how-to/personal-data.md. */

import { afterEach, describe, expect, it } from 'vitest'
import { createSync } from '../../packages/sync/src/index.ts'
import { describeOnPostgres } from '../../packages/sync/test/support/describe-on-postgres.ts'
import { pg } from '../../packages/sync/test/support/postgres-server.ts'
import { QueuePlaces } from '../../packages/sync/test/support/queue-places.ts'
import { startService } from '../../packages/sync/test/support/service.ts'
import {
  postgresDatabase,
  sqliteDatabase,
  type TestDatabase,
} from '../../packages/sync/test/support/stores.ts'
import { blocksOf } from '../../scripts/docs/markdown.ts'
import { read } from '../../scripts/project/project.ts'
import { WAIT_MS } from '../support/patience.ts'

const page = read('docs/how-to/personal-data.md')
const ADA = 'ada@example.com'

/** Returns the only statement that begins with some words, for another response. */
function statement(start: string, form: string, id: number): string {
  const found = blocksOf(page).filter(({ language, code }) => language === 'sql' && code.startsWith(start))
  expect(found, start).toHaveLength(1)
  return (found[0]?.code ?? '').replaceAll('guestvoice01', form).replaceAll('4711', String(id))
}

async function findsAndErases(database: TestDatabase): Promise<void> {
  const service = await startService()
  const form = service.form()
  const create = (value: string, email: string | null = null): number =>
    service.server.app.responses.create(form, { email, answers: [{ question_id: 'why', value }] }).id
  const [named, asked, , trashed] = [
    create('', 'Ada@Example.com'),
    create(`to ${ADA}`),
    create('x'),
    create(ADA),
  ]
  const sync = createSync({
    formwire: service.client(),
    store: database.store(),
    forms: 'all',
    deleted: 'erase',
    clock: { now: () => service.server.clock.now(), setTimer: () => () => undefined },
  })
  await sync.once()
  const found = async (): Promise<number[]> => {
    const rows = await database.query(statement('SELECT workspace_id', form, 0))
    return rows.map(({ id }) => Number(id)).sort((a, b) => a - b)
  }
  expect(await found()).toEqual([named, asked, trashed])
  for (const id of [named, asked]) service.server.app.responses.delete(form, id)
  await sync.once()
  expect(await found()).toEqual([trashed])
  service.server.app.forms.trash(form)
  await sync.once()
  expect(await found()).toEqual([trashed])
  await database.query(statement('UPDATE formwire_responses', form, trashed))
  expect(await found()).toEqual([])
  const rows = await database.query('SELECT id FROM formwire_responses WHERE deleted_at IS NULL')
  expect(rows).toHaveLength(1)
  await database.close()
  await service.server.close()
}

describe('the statements for the tables', () => {
  it('find and erase the rows of a person in SQLite', () => findsAndErases(sqliteDatabase()))
})

describeOnPostgres((serverUrl) => {
  let places: QueuePlaces | undefined
  afterEach(() => places?.close())

  it('find and erase the rows of a person in PostgreSQL', async () =>
    await findsAndErases(await postgresDatabase(serverUrl())))

  it('find and erase the handled and dropped responses of a person in a queue', async () => {
    const here = await QueuePlaces.start(serverUrl())
    places = here
    const { form, service } = here
    const create = (value: string): number =>
      service.server.app.responses.create(form, { answers: [{ question_id: 'why', value }] }).id
    const [handled, dead, other] = [create(ADA), create(ADA), create('x')]
    here.open(['poll'], { attempts: 1 })
    here.open(['work'], { failing: [dead], attempts: 1 })
    await here.untilHandled([handled, other])
    const listed = () => here.call('list', 'dead') as Promise<{ id: string }[]>
    await expect.poll(listed, { timeout: WAIT_MS }).toHaveLength(1)
    const client = new pg.Client({ connectionString: serverUrl() })
    await client.connect()
    const found = async (id: number) => {
      const { rows } = await client.query(statement('SELECT name, state', form, id))
      return rows.map((row) => [row.name, row.state, Number(row.id)]).sort()
    }
    const [before, copy] = [await found(handled), ['inbox.dead', 'created', dead]]
    expect(before).toContainEqual(['inbox', 'completed', handled])
    expect(before).toContainEqual(copy)
    await here.call(
      'drop',
      (await listed()).map(({ id }) => id),
    )
    for (const id of [handled, dead]) await client.query(statement('UPDATE formwire_queue.job', form, id))
    expect(await found(other)).toEqual([['inbox', 'completed', other]])
    const { rows } = await client.query(
      "SELECT data::text || coalesce(output::text, '') AS text FROM formwire_queue.job",
    )
    expect(rows.filter(({ text }) => text.includes(ADA))).toEqual([])
    for (const id of [handled, dead, other]) {
      const key = { workspace_id: '1', form_id: form, response_id: id }
      expect(await here.call('add', key, { id, answers: [] }, 'webhook')).toBe(false)
    }
    await client.end()
  })
})
