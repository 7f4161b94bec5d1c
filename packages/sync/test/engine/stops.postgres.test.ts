import { expect, it, onTestFinished } from 'vitest'
import { forgetStops, readStops, recordStop } from '../../src/engine/stops.ts'
import { postgresStore } from '../../src/postgres/index.ts'
import { describeOnPostgres } from '../support/describe-on-postgres.ts'
import { fleetDatabase } from '../support/fleet.ts'

describeOnPostgres((serverUrl) => {
  const storeOf = (connectionString: string) => {
    const store = postgresStore({ connectionString })
    onTestFinished(() => store.close())
    return store
  }

  it('keeps when a workspace stopped, until it is read or stops for another reason', async () => {
    const { url, query } = await fleetDatabase(serverUrl())
    await query('CREATE SCHEMA "my queue"')
    const store = storeOf(url)
    expect(await readStops(store, 'my queue')).toEqual([])
    const record = (name: string, error: string | null, by = store) =>
      recordStop(by, { schema: 'my queue', name, error })
    // Both connections remember that there is no table.
    const other = storeOf(url)
    expect(await readStops(other, 'my queue')).toEqual([])
    await Promise.all([record('us', 'http_503'), record('eu', null, other)])
    const [eu, us] = await readStops(store, 'my queue')
    expect(eu).toEqual({ name: 'eu', error: null, error_at: null })
    expect(us).toEqual({ name: 'us', error: 'http_503', error_at: expect.stringMatching(/Z$/) })
    // Another worker finds the same.
    await record('us', 'http_503', other)
    expect(await readStops(store, 'my queue')).toEqual([eu, us])
    await record('us', 'unauthorized', other)
    expect(await readStops(store, 'my queue')).toMatchObject([eu, { error: 'unauthorized' }])
    await record('us', null)
    expect(await readStops(store, 'my queue')).toEqual([eu, { ...eu, name: 'us' }])
    await forgetStops(store, { schema: 'my queue', except: ['eu', 'asia'] })
    expect(await readStops(store, 'my queue')).toEqual([eu])
  })

  it('records nothing for a role that may not create tables, and does not fail', async () => {
    const { url, query } = await fleetDatabase(serverUrl())
    await query('CREATE ROLE worker LOGIN; CREATE SCHEMA queue; GRANT USAGE ON SCHEMA queue TO worker')
    const asWorker = new URL(url)
    asWorker.username = 'worker'
    const store = storeOf(asWorker.href)
    await recordStop(store, { schema: 'queue', name: 'us', error: 'unauthorized' })
    await forgetStops(store, { schema: 'queue', except: [] })
    expect(await readStops(store, 'queue')).toEqual([])
    await query('DROP SCHEMA queue; DROP ROLE worker')
  })
})
