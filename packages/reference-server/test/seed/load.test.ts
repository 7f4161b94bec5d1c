import { expect, it } from 'vitest'
import { resolveClock, resolveSettings } from '../../src/options.ts'
import { systemRandom } from '../../src/random.ts'
import { emptySeed, loadSeed } from '../../src/seed/load.ts'
import { parseSeed } from '../../src/seed/parse.ts'
import { State } from '../../src/store/state.ts'

it('[RESP-05] resolves equal spans to one instant, although the clock goes on while a seed is loaded', () => {
  let now = Date.parse('2026-06-01T12:00:00Z')
  const clock = Object.assign(Object.create(resolveClock({})), {
    now: () => {
      now += 1
      return now
    },
  })
  const state = new State()
  const [workspace] = emptySeed().workspaces
  const responses = [{ answers: [], started_at: '-1h', submitted_at: '-1h' }]
  const forms = [{ id: 'survey000001', title: 'Survey', responses }]
  const seed = parseSeed({ ...emptySeed(), workspaces: [{ ...workspace, forms }] })
  loadSeed({ state, clock, random: systemRandom, settings: resolveSettings({}) }, seed)
  const instants = [...state.responses.all()].map(({ startedAt, at }) => [startedAt, at])
  expect(instants).toEqual([[Date.parse('2026-06-01T11:00:00.001Z'), Date.parse('2026-06-01T11:00:00.001Z')]])
})
