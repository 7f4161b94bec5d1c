import { expect, it } from 'vitest'
import type { PullClient, PullOptions } from '../../src/pull/index.ts'
import type { SeedResponse } from '../../src/seed/format.ts'
import { answer, clientOf, formOf, pulled, response, walking, withEndpoints } from './service.ts'

const responsesOf = async (client: PullClient, options: Partial<PullOptions>): Promise<SeedResponse[]> =>
  formOf(await pulled(client, options)).responses ?? []

it('draws scores up to the maximum, which do not depend on the originals, when it is strict', async () => {
  const original = (id: number): number => id % 11
  const rows = Array.from({ length: 220 }, (_, index) =>
    response(index + 1, [], { score: original(index + 1), max_score: 10 }),
  )
  const scores = await responsesOf(clientOf(rows), { scrub: 'strict' })
  const drawn = scores.map(({ id = 0, score }) => ({ score, isSame: score === original(id) }))
  expect(new Set(drawn.map(({ score }) => score))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))
  expect(drawn.filter(({ isSame }) => isSame).length).toBeLessThan(60)
  expect(scores.every(({ max_score: most }) => most === 10)).toBe(true)
})

it.each([[null], [-1], [0.5]])('draws 0 of a score whose maximum is %j', async (most) => {
  const rows = [response(1, [], { score: 3, max_score: most })]
  expect(await responsesOf(clientOf(rows), { scrub: 'strict' })).toMatchObject([{ score: 0 }])
})

it('removes device, browser and system only when it is strict', async () => {
  const meta = { device: 'phone', browser: 'Explorer 6', os: 'Plan 9' }
  const client = clientOf([response(1, [], { meta })])
  expect(await responsesOf(client, { scrub: 'normal' })).toMatchObject([{ meta }])
  expect(await responsesOf(client, { scrub: 'strict' })).toMatchObject([
    { meta: { device: null, browser: null, os: null } },
  ])
})

it('has a draft that is submitted while the form is read once, as a response', async () => {
  const row = (id: number, text: string, more: object = {}) =>
    response(id, [answer('a', 'short_text', text)], more)
  const unfinished = { status: 'in_progress', submitted_at: null }
  const done = [row(5, 'Done')]
  const drafts = [row(7, 'Unfinished', unfinished), row(5, 'Half', unfinished)]
  const responses = walking((status) => (status === 'submitted' ? done : drafts))
  const rows = await responsesOf({ ...clientOf(done), responses }, { drafts: true })
  expect(rows.map(({ id, status, answers: [one] }) => [id, status, one?.value])).toEqual([
    [7, 'in_progress', 'Unfinished'],
    [5, undefined, 'Done'],
  ])
})

it('moves the times of a form and its endpoints with those of its responses', async () => {
  const at = (day: number): string => `2026-11-0${day}T10:00:00.000Z`
  const times = (day: number) => ({
    created_at: at(day),
    updated_at: at(day + 1),
    opens_at: at(day + 2),
    closes_at: at(day + 3),
  })
  const endpoint = { id: 1, url: 'https://hooks.example.com/a', active: true, created_at: at(4) }
  const client = withEndpoints(clientOf([response(1, [])], times(1)), endpoint)
  const seed = await pulled(client, { shiftMs: 86_400_000, endpoints: true })
  expect(formOf(seed)).toMatchObject({
    ...times(2),
    webhooks: [{ created_at: at(5) }],
    responses: [{ started_at: at(2), submitted_at: at(2) }],
  })
})
