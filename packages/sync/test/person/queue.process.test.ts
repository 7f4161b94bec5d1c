import { afterEach, expect, it } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { erasePersonJobs, findPersonJobs } from '../../src/index.ts'
import { postgresStore } from '../../src/postgres/index.ts'
import { describeOnPostgres } from '../support/describe-on-postgres.ts'
import { pg } from '../support/postgres-server.ts'
import { QueuePlaces } from '../support/queue-places.ts'

const ADA = 'ada@example.com'

describeOnPostgres((serverUrl) => {
  let places: QueuePlaces
  afterEach(() => places?.close())

  it('erases handled, dead and pending responses of a person, of which none is handled again', async () => {
    places = await QueuePlaces.start(serverUrl())
    const { form, service } = places
    const create = (value: string): number =>
      service.server.app.responses.create(form, { answers: [{ question_id: 'why', value }] }).id
    const [handled, other, dead] = [create(ADA), create('write to ada@example.com'), create(ADA)]
    places.open(['poll'])
    const worker = places.open(['work'], { failing: [dead] })
    await places.untilHandled([handled, other])
    await expect.poll(() => places.logged('failed').length, { timeout: WAIT_MS }).toBe(10)
    worker.child.kill('SIGTERM')
    await worker.finished
    const pending = create(ADA)
    await expect.poll(() => places.call('list', 'pending'), { timeout: WAIT_MS }).toHaveLength(1)

    const store = postgresStore({ connectionString: serverUrl() })
    const found = () => findPersonJobs({ store, email: ADA })
    const before = await found()
    expect(before.toSorted((one, next) => one.id - next.id)).toEqual(
      [
        { id: handled, state: 'handled' },
        { id: dead, state: 'dead' },
        { id: pending, state: 'pending' },
      ].map((one) => ({ workspaceId: '1', formId: form, columns: ['why'], ...one })),
    )
    expect(await findPersonJobs({ store, email: ADA, workspaceId: '2' })).toEqual([])
    const byIds = (id: number, more = {}) =>
      findPersonJobs({ store, responses: [{ formId: form, id }], ...more })
    expect(await byIds(other)).toEqual([
      { workspaceId: '1', formId: form, id: other, state: 'handled', columns: ['id'] },
    ])
    expect(await byIds(dead)).toMatchObject([{ id: dead, state: 'dead', columns: ['id'] }])
    expect([await byIds(other, { workspaceId: '2' }), await byIds(other, { forms: ['x'] })]).toEqual([[], []])
    expect(await findPersonJobs({ store, email: ADA, forms: ['other'] })).toEqual([])
    expect(await erasePersonJobs({ store, responses: before })).toBe(3)
    expect([await found(), await byIds(handled), await byIds(dead)]).toEqual([[], [], []])
    await expect(findPersonJobs({ store, email: ADA, name: 'nope' })).rejects.toMatchObject({
      code: 'refused',
      message: 'The database has no queue "nope" in the schema "formwire_queue".',
    })
    await store.close()
    const client = new pg.Client({ connectionString: serverUrl() })
    await client.connect()
    const { rows } = await client.query(
      "SELECT data::text || coalesce(output::text, '') AS text FROM formwire_queue.job",
    )
    expect(rows.filter(({ text }) => text.includes(ADA))).toHaveLength(1)
    // They are forgotten as handled responses are.
    const { rows: kept } = await client.query(
      "SELECT DISTINCT deletion_seconds FROM formwire_queue.job WHERE name = 'inbox'",
    )
    await client.end()
    expect(kept).toEqual([{ deletion_seconds: 3 * 86_400 }])

    expect(await places.call('list', 'dead')).toEqual([])
    const all = [handled, other, dead, pending]
    const again = all.map((id) => ({ workspace_id: '1', form_id: form, response_id: id }))
    for (const key of again)
      expect(await places.call('add', key, { id: key.response_id, answers: [] }, 'webhook')).toBe(false)
    places.open(['work'])
    const last = create('last')
    await places.untilHandled([last])
    expect(places.handledIds()).toEqual([handled, other, last])
  })
  it('erases a response whose handling fails at the same moment', async () => {
    places = await QueuePlaces.start(serverUrl())
    const key = { workspace_id: '1', form_id: places.form, response_id: 7 }
    const answers = [{ question_id: 'why', value: ADA }]
    await places.call('add', key, { id: 7, form_id: places.form, email: null, answers }, 'webhook')
    const client = new pg.Client({ connectionString: serverUrl() })
    await client.connect()
    await client.query('BEGIN')
    // As the engine does it.
    await client.query(
      `WITH failed AS (DELETE FROM formwire_queue.job WHERE name = 'inbox' AND data ->> 'response_id' = '7' RETURNING *)
        INSERT INTO formwire_queue.job SELECT * FROM failed`,
    )
    const store = postgresStore({ connectionString: serverUrl() })
    const response = { workspaceId: '1', formId: places.form, id: 7 }
    const erasing = erasePersonJobs({ store, responses: [response] })
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE%'"
    const other = new pg.Client({ connectionString: serverUrl() })
    await other.connect()
    await expect.poll(async () => (await other.query(waiting)).rows.length, { timeout: WAIT_MS }).toBe(1)
    await other.end()
    await client.query('COMMIT')
    await client.end()
    expect(await erasing).toBe(1)
    expect(await findPersonJobs({ store, email: ADA })).toEqual([])
    await store.close()
  })
})
