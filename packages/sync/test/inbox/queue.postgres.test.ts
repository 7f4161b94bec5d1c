import { expect, it, onTestFinished } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import type { QueuedResponse } from '../../src/inbox/index.ts'
import { describeOnPostgres } from '../support/describe-on-postgres.ts'
import { type FleetDatabase, fleetDatabase } from '../support/fleet.ts'
import { pg } from '../support/postgres-server.ts'
import { QueuePlaces } from '../support/queue-places.ts'

describeOnPostgres((serverUrl) => {
  let database: FleetDatabase
  /** Starts a service, with a database of its own. */
  async function start(): Promise<QueuePlaces> {
    database = await fleetDatabase(serverUrl())
    // The server of the tests loses commits in a crash otherwise.
    await database.query(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET synchronous_commit = on`,
    )
    const places = await QueuePlaces.start(database.url)
    onTestFinished(() => places.close())
    return places
  }

  const deadOf = async (places: QueuePlaces) => (await places.call('list', 'dead')) as QueuedResponse[]
  /** Waits for dead responses, without the delays between attempts. */
  const untilDead = async (count: number): Promise<void> => {
    const isDead = async () => {
      await database.query("UPDATE formwire_queue.job SET start_after = now() WHERE state = 'retry'")
      return await database.query("SELECT FROM formwire_queue.job WHERE name = 'inbox.dead'")
    }
    await expect.poll(isDead, { timeout: WAIT_MS, interval: 200 }).toHaveLength(count)
  }
  const jobs = () => database.query("SELECT FROM formwire_queue.job WHERE name = 'inbox'")

  it('[DLV-10] loses nothing that was acknowledged when PostgreSQL restarts, and handles it once', async () => {
    const here = await start()
    const { service, form } = here
    for (const url of [await here.receiver(), await here.receiver()]) await here.endpoint(url)
    here.open(['poll'])
    const workers = [1, 2].map(() => here.open(['work'], { handlerMs: 200 }))
    const ids: number[] = []
    for (let round = 0; round < 5; round += 1) {
      for (let count = 0; count < 4; count += 1)
        ids.push(service.server.app.responses.create(form, { deliver: count % 2 > 0 }).id)
      await service.server.clock.advance(1000)
      if (round === 1 || round === 3) await crash()
    }
    // Deliveries that failed meanwhile are retried.
    await service.server.clock.advance('1h')
    await here.untilHandled(ids)
    await here.untilStarted(workers)
    for (const { child } of workers) child.kill('SIGTERM')
    for (const { finished } of workers) expect(await finished).toMatchObject({ code: 0, stderr: '' })
    expect(here.handledIds()).toEqual(ids)
    expect(new Set(here.logged('handled').map(({ source }) => source))).toEqual(new Set(['webhook', 'poll']))
    // Delivered twice, stored once.
    expect(await jobs()).toHaveLength(ids.length)
  })

  /** Kills a connection, after which the server ends all others and recovers. */
  async function crash(): Promise<void> {
    const connect = async (): Promise<pg.Client> => {
      const client = new pg.Client({ connectionString: serverUrl() })
      client.on('error', () => undefined)
      await client.connect()
      return client
    }
    const [killed, other] = [await connect(), await connect()]
    let isNoticed = false
    other.once('end', () => {
      isNoticed = true
    })
    const { rows } = await killed.query('SELECT pg_backend_pid() AS pid')
    process.kill(rows[0].pid, 'SIGKILL')
    // Until then, the server still accepts connections.
    await expect.poll(() => isNoticed, { timeout: WAIT_MS }).toBe(true)
    await expect
      .poll(
        () =>
          database.query('SELECT 1').then(
            () => 'up',
            () => 'down',
          ),
        { timeout: WAIT_MS },
      )
      .toBe('up')
    for (const client of [killed, other]) await client.end().catch(() => undefined)
  }

  it('keeps a response that fails ten times with its error and payload, and handles it once it is retried', async () => {
    const here = await start()
    const { service, form } = here
    const [id, other, dropped] = service.add(form, 3) as [number, number, number]
    here.open(['poll'])
    const failing = here.open(['work'], { failing: [id, dropped] })
    await untilDead(2)
    failing.child.kill('SIGTERM')
    expect(JSON.parse((await failing.finished).stdout)).toEqual({ handled: 1, failed: 20 })
    const dead = (await deadOf(here)).sort((a, b) => a.response_id - b.response_id)
    expect(dead).toEqual(
      [id, dropped].map((response_id) => ({
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        workspace_id: '1',
        form_id: form,
        response_id,
        state: 'dead',
        source: 'poll',
        attempts: 10,
        queued_at: expect.any(String),
        ended_at: expect.any(String),
        error: 'Error: mail server down',
      })),
    )
    const [first, second] = dead.map((one) => one.id) as [string, string]
    expect(await here.call('get', first)).toEqual({
      queued: dead[0],
      response: expect.objectContaining({ id, form_id: form, complete: true, answers: expect.any(Array) }),
    })
    expect(await here.call('get', 'unknown')).toBe(null)
    expect(await here.call('retry', [first, 'unknown'])).toBe(1)
    expect(await here.call('drop', [second, first])).toBe(1)
    here.open(['work'])
    await here.untilHandled([id])
    expect(await here.call('list', 'dead')).toEqual([])
    expect(here.handledIds()).toEqual([id, other])
  })

  it('[DLV-10] handles a dead response once that is delivered again, retried and delivered again, and remembers it and one that was dropped for three days', async () => {
    const here = await start()
    const { service, form } = here
    const [id, dropped, other] = service.add(form, 3) as [number, number, number]
    here.open(['poll'], { attempts: 2 })
    const failing = here.open(['work'], { failing: [id, dropped], attempts: 2 })
    await untilDead(2)
    await here.untilHandled([other])
    failing.child.kill('SIGTERM')
    await failing.finished
    const key = (response_id: number) => ({ workspace_id: '1', form_id: form, response_id })
    const response = await service.client().responses.get(form, id)
    const add = () => here.call('add', key(id), { ...response, complete: true }, 'webhook')
    await pass(4)
    // The other one is forgotten, so the engine has removed what is older than three days.
    expect(await jobs()).toHaveLength(2)
    expect(await add()).toBe(false)
    const dead = await deadOf(here)
    const [retried, gone] = [id, dropped].map(
      (one) => dead.find(({ response_id }) => response_id === one)?.id,
    )
    expect(await here.call('drop', [gone])).toBe(1)
    expect(await here.call('retry', [retried])).toBe(1)
    expect(await here.call('retry', [retried])).toBe(0)
    here.open(['work'], { attempts: 2 })
    await here.untilHandled([id])
    await expect.poll(() => here.call('list', 'active'), { timeout: WAIT_MS }).toEqual([])
    expect(await add()).toBe(false)
    await pass(2)
    expect(await jobs()).toHaveLength(2)
    expect(await add()).toBe(false)
    await pass(2)
    expect(await jobs()).toHaveLength(0)
    expect(await add()).toBe(true)
  })

  /** Makes all jobs so many days older, and has the engine of a process that runs remove those that it keeps no longer. */
  async function pass(days: number): Promise<void> {
    await database.query(
      `UPDATE formwire_queue.job SET completed_on = completed_on - interval '${days} days' WHERE completed_on IS NOT NULL`,
    )
    // A run of the maintenance that had begun before may have ended after the first one.
    for (let run = 0; run < 2; run += 1) {
      await database.query('UPDATE formwire_queue.queue SET maintain_on = NULL')
      await untilNone('formwire_queue.queue WHERE maintain_on IS NULL')
    }
    await untilNone(`formwire_queue.job WHERE deletion_seconds > 0
      AND completed_on + deletion_seconds * interval '1 s' < now()`)
  }

  const untilNone = (rows: string) =>
    expect.poll(() => database.query(`SELECT FROM ${rows}`), { timeout: WAIT_MS }).toEqual([])

  it('leaves the options of the queue as its workers have set them when responses are only listed or retried', async () => {
    const here = await start()
    const { service, form } = here
    const [id] = service.add(form, 1) as [number]
    expect(await here.call('list', 'dead')).toEqual([])
    expect(await here.call('retry', ['00000000-0000-8000-8000-000000000000'])).toBe(0)
    expect(await here.call('get', '00000000-0000-8000-8000-000000000000')).toBe(null)
    here.open(['poll', 'work'], { maxRetryDelayMs: 7000 })
    await here.untilHandled([id])
    const options = () =>
      database.query(
        "SELECT name, retry_delay_max FROM formwire_queue.queue WHERE name LIKE 'inbox%' ORDER BY name",
      )
    const stored = await options()
    expect(stored).toContainEqual({ name: 'inbox', retry_delay_max: 7 })
    await here.call('list', 'handled')
    await here.call('retry', [])
    expect(await options()).toEqual(stored)
  })
})
