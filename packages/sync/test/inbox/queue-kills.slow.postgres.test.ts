import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { TEST_TIMEOUT_MS } from '../../../../test/support/patience.ts'
import { describeOnPostgres } from '../support/describe-on-postgres.ts'
import { QueuePlaces } from '../support/queue-places.ts'
import { seeded } from '../support/random.ts'
import { startUnreliableProxy, type UnreliableProxy } from '../support/unreliable-proxy.ts'

const RESPONSES = Number(process.env.FORMWIRE_RESPONSES ?? 400)
/** Receivers, and as many workers. */
const PLACES = Number(process.env.FORMWIRE_PLACES ?? 2)
const BATCH = 50
const CONCURRENCY = 4

describeOnPostgres((serverUrl) => {
  let places: QueuePlaces | undefined
  let proxy: UnreliableProxy | undefined
  afterEach(async () => {
    await places?.close()
    await proxy?.close()
  })

  it('renews the claim of a handler that takes longer than the lease, so that no other worker gets its response', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    places = await QueuePlaces.start(serverUrl())
    const ids = places.service.add(places.form, 3)
    places.open(['poll'])
    // The lease is 10 s.
    places.open(['work'], { handlerMs: 15_000 })
    places.open(['work'], { handlerMs: 15_000 })
    await places.untilHandled(ids)
    await sleep(2000)
    expect(
      places
        .logged('begun')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids)
  })

  it(`[DLV-10, POLL-02] handles each of ${RESPONSES} responses once over ${PLACES} receivers and ${PLACES} workers that are killed`, {
    timeout: 1_800_000,
  }, async () => {
    const here = await QueuePlaces.start(serverUrl())
    const lossy = await startUnreliableProxy(seeded(7))
    places = here
    proxy = lossy
    const { app, clock } = here.service.server
    const random = seeded(5)
    await here.endpoint(lossy.url)
    here.open(['poll'])

    const openReceiver = async () => {
      const receiver = here.open(['receive'])
      const port = Number(await receiver.firstLine)
      lossy.ports.add(port)
      return { receiver, port }
    }
    const openWorker = () => here.open(['work'], { concurrency: CONCURRENCY, handlerMs: 5 })
    const each = Array.from({ length: PLACES })
    const receivers = await Promise.all(each.map(openReceiver))
    const workers = each.map(openWorker)
    const killed = new Set<string>()

    const ids: number[] = []
    while (ids.length < RESPONSES) {
      for (let count = 0; count < BATCH; count += 1) {
        ids.push(app.responses.create(here.form, { deliver: true }).id)
      }
      await clock.advance(60_000)
      if (random(3) === 0) await lossy.sendDelayed()
      const place = random(PLACES)
      const [worker, receiver] = [workers[place], receivers[place]]
      if (
        worker &&
        random(3) === 0 &&
        here.logged('handled').some(({ process }) => process === worker.name)
      ) {
        worker.child.kill('SIGKILL')
        await worker.finished
        killed.add(worker.name)
        workers[place] = openWorker()
      }
      if (receiver && random(4) === 0) {
        lossy.ports.delete(receiver.port)
        receiver.receiver.child.kill('SIGKILL')
        receivers[place] = await openReceiver()
      }
      await sleep(50)
    }
    lossy.isReliable = true
    await clock.advance('1d')
    await lossy.sendDelayed()
    await here.untilHandled(ids, 600_000)

    const begun = here.logged('begun')
    const byId = new Map<number, string[]>()
    for (const { id, process } of begun) byId.set(id, [...(byId.get(id) ?? []), process])
    const earlier = [...byId.values()].map((processes) => processes.slice(0, -1))
    const repeated = earlier.flat()
    expect(killed.size).toBeGreaterThan(0)
    expect(
      [...lossy.acknowledged].sort((a, b) => a - b),
      'delivered to a receiver',
    ).toEqual(ids)
    expect(new Set(here.logged('handled').map(({ source }) => source))).toEqual(new Set(['webhook', 'poll']))
    expect(
      repeated.every((process) => killed.has(process)),
      'only what a killed worker had begun',
    ).toBe(true)
    expect(repeated.length, 'at most what it had begun').toBeLessThanOrEqual(killed.size * CONCURRENCY)
    expect(await here.call('list', 'dead')).toEqual([])
  })
})
