import { expect, it } from 'vitest'
import { NOON } from '../support/service.ts'
import type { StoreSuite } from './suite.ts'

/** `run()` follows the service. */
export function describeFollowing(suite: StoreSuite): void {
  it('goes on through outages of the service while following', async () => {
    const form = suite.service.form()
    suite.service.add(form, 2)
    const stop = new AbortController()
    const pauses: string[] = []
    suite.service.server.app.faults.add({ status: 503, times: 6 })
    const timers = {
      now: () => suite.service.server.clock.now(),
      setTimer(callback: () => void) {
        if (pauses.length > 0 && suite.service.submitted(form).length === 3) stop.abort()
        else if (suite.service.requests > 8) suite.service.add(form, 1, () => '2026-11-21T11:00:00.000Z')
        const timer = setImmediate(callback)
        return () => clearImmediate(timer)
      },
    }
    const formwire = suite.service.client({ maxRetries: 0 })
    const summary = await suite
      .sync(form, {
        formwire,
        signal: stop.signal,
        clock: timers,
        onPause: ({ error }) => void pauses.push((error as Error).name),
      })
      .run()
    expect(pauses).toEqual(Array(6).fill('ServerError'))
    expect(summary.inserted).toBeGreaterThanOrEqual(2)
  })

  it.each(['all', 'given'])('keeps response_count equal to the rows of %s forms', async (which) => {
    const form = suite.service.form()
    const ids = suite.service.add(form, 3)
    const { server } = suite.service
    const stop = new AbortController()
    const counts: unknown[] = []
    const changes = [
      () => suite.service.add(form, 2, () => '2026-11-21T11:00:00.000Z'),
      () => server.app.responses.delete(form, ids[0] as number),
      () => suite.service.add(form, 1, () => '2026-11-21T11:01:00.000Z'),
      () => stop.abort(),
    ]
    suite.service.before = ({ url }) => {
      // The list of forms is older than the responses of its round.
      if (changes.length === 3 && url.includes(`/forms/${form}/responses`)) {
        suite.service.before = undefined
        suite.service.add(form, 1, () => '2026-11-21T11:00:30.000Z')
      }
    }
    const timers = {
      now: () => server.clock.now(),
      setTimer(callback: () => void) {
        const pass = async (): Promise<void> => {
          const [row] = await suite.database.query('SELECT response_count FROM formwire_forms')
          counts.push([Number(row?.response_count), (await suite.live(form)).length])
          changes.shift()?.()
          callback()
        }
        void pass()
        return () => undefined
      },
    }
    await suite.sync(which === 'all' ? which : form, { signal: stop.signal, clock: timers }).run()
    expect(counts).toEqual([
      [3, 3],
      [6, 6],
      [5, 5],
      [6, 6],
    ])
  })

  it('follows new, changed and deleted responses and new forms', async () => {
    const form = suite.service.form()
    const ids = suite.service.add(form, 5)
    const stop = new AbortController()
    let rounds = 0
    let second = ''
    const timers = {
      now: () => suite.service.server.clock.now(),
      setTimer(callback: () => void) {
        rounds += 1
        if (rounds === 1) suite.service.add(form, 2, () => '2026-11-21T11:00:00.000Z')
        if (rounds === 2) suite.service.server.app.responses.delete(form, ids[0] as number)
        if (rounds === 3) {
          second = suite.service.form('Second')
          suite.service.add(second, 1)
        }
        if (rounds === 4) stop.abort()
        const timer = setTimeout(callback, 0)
        return () => clearTimeout(timer)
      },
    }
    const summary = await suite.sync('all', { signal: stop.signal, clock: timers }).run()
    expect(summary).toMatchObject({ forms: 2, inserted: 8, deleted: 1 })
    expect(await suite.live(form)).toEqual(suite.service.submitted(form))
    expect(await suite.live(second)).toEqual(suite.service.submitted(second))
    expect(NOON).toBe(suite.service.server.clock.now())
  })
}
