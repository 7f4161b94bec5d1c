import type { FormResponse } from '@formwire/contract'
import type { Formwire } from '@formwire/sdk'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases.ts'
import type { ReferenceServer } from '../../src/index.ts'
import { type PullOptions, pullWorkspace } from '../../src/pull/index.ts'
import {
  everyGet,
  formIds,
  personalTexts,
  responsesOf,
  sdkOf,
  seedOfPlan,
  serverOf,
  workspaces,
  writeTexts,
  writtenTexts,
} from './workspace.ts'

const RUNS = { numRuns: propertyRuns(8, 12) }
const KEY = Buffer.from('a key of pseudonyms for tests')

const pull = (client: Formwire, options: Partial<PullOptions> = {}) =>
  pullWorkspace(client, { baseUrl: 'http://formwire.test', drafts: true, key: KEY, ...options })

it('[RESP-05] serves a pull that is not scrubbed as its origin on every GET', async () => {
  await fc.assert(
    fc.asyncProperty(workspaces, async (plan) => {
      await using origin = await serverOf(await seedOfPlan(plan))
      const pulled = await pull(sdkOf(origin), { scrub: false, endpoints: true })
      await using copy = await serverOf(JSON.parse(await textOf(pulled.json())))
      expect(await everyGet(copy)).toEqual(await everyGet(origin))
    }),
    RUNS,
  )
})

it('[RESP-04] has every response that is not deleted while it pulls, once, as it is', async () => {
  const deletions = fc.array(fc.nat({ max: 200 }), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(workspaces, deletions, async (plan, deleted) => {
      const seed = await seedOfPlan(plan)
      await using origin = await serverOf(seed)
      const before = await everyResponse(origin)
      const queue = [...deleted]
      const client = sdkOf(origin, () => {
        const form = formIds(seed)[(queue.length + plan.seed) % plan.forms.length] ?? ''
        const { items } = origin.app.responses.list(form)
        const victim = items[queue.shift() ?? -1]
        if (victim) origin.app.responses.delete(form, victim.id)
      })
      await using copy = await serverOf(await (await pull(client, { scrub: false })).seed())
      const after = await everyResponse(origin)
      const served = await everyResponse(copy)
      expect(served).toMatchObject(after)
      expect(before).toMatchObject(served)
    }),
    RUNS,
  )
})

it('keeps no original text, and all counts, choices and numbers, when it scrubs', async () => {
  await fc.assert(
    fc.asyncProperty(workspaces, writtenTexts, async (plan, texts) => {
      const seed = await seedOfPlan(plan)
      writeTexts(seed, texts)
      await using origin = await serverOf(seed)
      const text = await textOf((await pull(sdkOf(origin), { endpoints: true })).json())
      // Labels and titles stay, also where a respondent has written the same.
      const stays = JSON.stringify(seed.workspaces[0]?.forms?.map(({ questions }) => questions))
      for (const personal of personalTexts(seed)) {
        const written = JSON.stringify(personal).slice(1, -1)
        if ([...personal].length >= 8 && !stays.includes(written)) expect(text).not.toContain(written)
      }
      await using copy = await serverOf(JSON.parse(text))
      for (const form of formIds(seed)) {
        expect(copy.app.forms.get(form)).toMatchObject({
          response_count: origin.app.forms.get(form).response_count,
        })
        for (const status of ['submitted', 'in_progress'])
          expect((await responsesOf(copy, form, status)).map(facts)).toEqual(
            (await responsesOf(origin, form, status)).map(facts),
          )
      }
    }),
    RUNS,
  )
})

it('replaces choices, numbers and dates as well when it is strict, by others of the question', async () => {
  await fc.assert(
    fc.asyncProperty(workspaces, async (plan) => {
      const seed = await seedOfPlan(plan)
      await using origin = await serverOf(seed)
      const pulled = await pull(sdkOf(origin), { scrub: 'strict', drafts: true })
      await using copy = await serverOf(await pulled.seed())
      for (const form of formIds(seed)) {
        const originals = await responsesOf(origin, form)
        const drafts = await responsesOf(origin, form, 'in_progress')
        const scrubbed = await responsesOf(copy, form)
        expect(scrubbed.map(({ id }) => id)).toEqual(originals.map(({ id }) => id))
        expect(scrubbed.map(types)).toEqual(originals.map(types))
        for (const [question, values] of drawableValues(originals)) {
          const drawn = drawableValues(scrubbed).get(question) ?? []
          const changed = values.filter((value, index) => value !== drawn[index]).length
          if (values.length >= 40 && new Set(values).size > 1)
            expect(changed, question).toBeGreaterThan(values.length / 10)
        }
        for (const question of ['nps', 'rating', 'date', 'single_choice']) {
          const known = new Set([...originals, ...drafts].flatMap(valuesOf(question)))
          const [low, high] = [[...known].sort(byValue)[0], [...known].sort(byValue).at(-1)]
          for (const value of scrubbed.flatMap(valuesOf(question))) {
            if (question === 'single_choice') expect(known).toContain(value)
            else expect([low, value, high].sort(byValue)).toEqual([low, value, high])
          }
        }
      }
    }),
    RUNS,
  )
})

/** Returns the values of each question that is not personal as JSON, without other texts, and the scores. */
function drawableValues(responses: readonly FormResponse[]): Map<string, string[]> {
  const values = new Map<string, string[]>()
  const add = (name: string, value: unknown): void => {
    values.set(name, [...(values.get(name) ?? []), JSON.stringify(value)])
  }
  for (const { answers, score } of responses) {
    add('score', score)
    for (const { question_id: id, type, value } of answers)
      if (KEPT.test(type) || /^(?:date|time|number|scale|rating|nps|slider)$/.test(type))
        add(id, typeof value === 'object' ? { ...value, other: undefined } : value)
  }
  return values
}

const byValue = (one: unknown, other: unknown): number =>
  (one as number) < (other as number) ? -1 : Number(one !== other)

const valuesOf =
  (question: string) =>
  ({ answers }: FormResponse): (string | number)[] =>
    answers.flatMap(({ question_id, value }) => {
      if (question_id !== question) return []
      return typeof value === 'object' ? ((value as { ids: string[] }).ids ?? []) : [value as string]
    })

const types = ({ answers }: FormResponse): unknown =>
  answers.map(({ question_id, type }) => [question_id, type])

/** What scrubbing keeps of a response. */
function facts({ answers, email, meta, ...rest }: FormResponse): unknown {
  return {
    ...rest,
    email: typeof email,
    meta: Object.keys(meta),
    answers: answers.map(({ question_id, title, type, value }) => ({
      question_id,
      title,
      type,
      value: KEPT.test(type) ? { ...(Object(value) as object), other: undefined } : typeof value,
      number: typeof value === 'number' || type === 'date' || type === 'time' ? value : undefined,
    })),
  }
}

const KEPT = /choice|dropdown|yes_no|ranking|grid/

/** Returns all responses and drafts, by their paths. */
async function everyResponse(server: ReferenceServer): Promise<Record<string, unknown>> {
  const all = Object.entries(await everyGet(server))
  return Object.fromEntries(all.filter(([path]) => /\/responses\/\d+$/.test(path)))
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}
