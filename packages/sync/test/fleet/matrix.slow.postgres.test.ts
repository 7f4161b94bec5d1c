import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it, vi } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { usePostgres } from '../support/describe-on-postgres.ts'
import type { AtEnd, FleetProcess } from '../support/fleet.ts'
import { FleetStage, KEY_LIMIT, type Outcome } from '../support/fleet-stage.ts'
import {
  type PostgresServer,
  queryOnce,
  startPgbouncer,
  startPostgres,
  startStandby,
} from '../support/postgres-server.ts'

const PATIENCE_MS = 300_000
/** From the end of a fault on. `.ci/run` does much else on the same cores. */
const EQUAL_WITHIN_S = process.env.CI ? 180 : 60
const TEN_MINUTES_MS = 600_000

/** Where a case runs. */
interface Place {
  /** A server that no case stops. */
  shared: PostgresServer
  seed: number
  atEnd: AtEnd
}

type Fault = (place: Place) => Promise<Outcome>

/** Faults, and how a fleet goes through each. */
const FAULTS: Record<string, Fault> = {
  'workers that are killed, through pgbouncer in transaction mode': async ({ shared, ...place }) => {
    const bouncer = await startPgbouncer(shared, 5)
    place.atEnd(() => bouncer.stop())
    const stage = await FleetStage.start(shared.url, { ...place, workersTo: bouncer.url })
    const workers = [await stage.worker(), await stage.worker(), await stage.worker()]
    await stage.followed()
    return await stage.run(async () => {
      const restore = stage.delay('/api/v1/forms/*/responses', 500)
      for (const { child } of workers) {
        await busy(stage)
        child.kill('SIGKILL')
        await stage.worker()
      }
      restore()
    })
  },

  'a worker that is stopped for longer than its lease': async ({ shared, ...place }) => {
    const stage = await FleetStage.start(shared.url, place)
    const [{ child }] = [await stage.worker(), await stage.worker()] as [FleetProcess, FleetProcess]
    await stage.followed()
    return await stage.run(async () => {
      const restore = stage.delay('/api/v1/forms/*/responses', 1000)
      const abandoned = () => stage.jobs(`state = 'active' AND heartbeat_on < now() - interval '7 seconds'`)
      do {
        child.kill('SIGCONT')
        await busy(stage)
        child.kill('SIGSTOP')
        await sleep(8000)
      } while ((await abandoned()) === 0)
      // The other worker has its forms.
      await vi.waitUntil(async () => (await abandoned()) === 0, { timeout: PATIENCE_MS, interval: 200 })
      await sleep(3000)
      child.kill('SIGCONT')
      restore()
    })
  },

  'PostgreSQL that is stopped between a round and its forms': async (place) => {
    const server = await startPostgres()
    place.atEnd(() => server.stop())
    const stage = await FleetStage.start(server.url, place)
    await stage.worker()
    await stage.worker()
    await stage.followed()
    return await stage.run(async () => {
      // A round takes so long that it is in progress when the database goes away.
      const restore = stage.delay('/api/v1/forms', 1500)
      const round = () => stage.jobs(`name = 'formwire-rounds' AND state = 'active'`)
      await vi.waitUntil(async () => (await round()) > 0, { timeout: PATIENCE_MS })
      await server.halt()
      await sleep(10_000)
      restore()
      await server.restart()
    })
  },

  'a standby that is promoted': async (place) => {
    const primary = await startPostgres()
    place.atEnd(() => primary.stop())
    const standby = await startStandby(primary)
    place.atEnd(() => standby.stop())
    // What a name or a proxy does: the same URL leads to another server.
    const current = join(temporaryDirectory(), 'current')
    symlinkSync(primary.folder, current)
    const stage = await FleetStage.start(urlIn(current), place)
    await stage.worker()
    await stage.worker()
    await stage.followed()
    return await stage.run(async () => {
      await sleep(3000)
      rmSync(current)
      symlinkSync(standby.folder, current)
      await primary.stop()
      // Workers find it read-only for a time.
      await sleep(5000)
      await queryOnce(standby.url, 'SELECT pg_promote()')
    })
  },

  'clocks that are ten minutes apart': async ({ shared, ...place }) => {
    const stage = await FleetStage.start(shared.url, place)
    for (const clockMs of [-TEN_MINUTES_MS, 0, TEN_MINUTES_MS]) await stage.worker({ clockMs })
    await stage.followed()
    return await stage.run(() => sleep(10_000))
  },
}

describe('a fleet over two workspaces with forms of the same ids', () => {
  const postgres = usePostgres()
  const runs = Array.from({ length: propertyRuns(1) }, (_, run) => run)
  const cases = runs.flatMap((run) => Object.keys(FAULTS).map((name) => ({ name, run })))

  it.concurrent.for(cases)(
    '[POLL-02, RATE-01] with $name: is equal to the service soon after its end, writes each response once, and sends no more requests than each key may',
    { timeout: 900_000 },
    async ({ name, run }, { expect, onTestFinished }) => {
      const atEnd: AtEnd = (undo) => onTestFinished(async () => void (await undo()))
      const place = { shared: postgres.server, seed: 31 + run, atEnd }
      const { equalAfter, codes, limited, most, rows, outbox, distinct } = await (FAULTS[name] as Fault)(
        place,
      )
      expect(equalAfter).toBeLessThanOrEqual(EQUAL_WITHIN_S)
      expect(codes.every((code) => code === 0)).toBe(true)
      expect(limited).toBe(0)
      expect(most).toBeLessThanOrEqual(KEY_LIMIT)
      // With what its transaction writes.
      expect([outbox, distinct]).toEqual([rows, rows])
    },
  )
})

/** Waits until workers have forms in progress. */
async function busy(stage: FleetStage): Promise<void> {
  const active = () => stage.jobs(`name = 'formwire-forms' AND state = 'active'`)
  await vi.waitUntil(async () => (await active()) > 1, { timeout: PATIENCE_MS, interval: 50 })
}

const urlIn = (folder: string): string =>
  `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
