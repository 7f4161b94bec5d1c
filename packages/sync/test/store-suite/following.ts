import { expect, it } from 'vitest'
import { clockOf } from '../support/service.ts'
import type { StoreSuite } from './suite.ts'

/** `run()` follows the service. */
export function describeFollowing(suite: StoreSuite): void {
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
    const clock = clockOf(suite.service, async () => {
      const [row] = await suite.query('SELECT response_count FROM formwire_forms')
      counts.push([Number(row?.response_count), (await suite.live(form)).length])
      changes.shift()?.()
    })
    const sync = suite.sync(which === 'all' ? which : form, { signal: stop.signal, clock })
    expect(await sync.run()).toMatchObject({ forms: 1, inserted: 7, deleted: 1 })
    expect(counts).toEqual([
      [3, 3],
      [6, 6],
      [5, 5],
      [6, 6],
    ])
  })
}
