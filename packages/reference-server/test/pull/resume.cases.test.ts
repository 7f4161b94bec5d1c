import type { Formwire } from '@formwire/sdk'
import { expect, it } from 'vitest'
import { byTier } from '../../../../test/support/cases.ts'
import type { ReferenceServer } from '../../src/index.ts'
import { type PullLine, type PullStore, pullWorkspace } from '../../src/pull/index.ts'
import type { Seed } from '../../src/seed/format.ts'
import { createSeedFactory, everyQuestion } from '../../src/testing/index.ts'
import { formIds, sdkOf, serverOf } from './workspace.ts'

/** Quick tests interrupt every fifth request. */
const STEP = byTier(5, 2)

const OPTIONS = {
  baseUrl: 'http://formwire.test',
  drafts: true,
  endpoints: true,
  key: Buffer.from('a key of pseudonyms for tests'),
  now: () => 0,
}

async function workspace(): Promise<Seed> {
  const make = await createSeedFactory(9)
  const questions = everyQuestion()
    .slice(0, 4)
    .map((question) => ({ ...question, required: false }))
  return make.seed(
    make.form({ id: 'form00000000', title: 'Large', questions, responses: 230, drafts: 120 }),
    make.form({ id: 'form00000001', title: 'Small', questions, responses: 110, drafts: 0 }),
    make.form({ id: 'form00000002', title: 'Empty', questions: [], responses: 0 }),
  )
}

/** A client whose requests fail from the `failing`th on. */
const clientOf = (
  server: ReferenceServer,
  failing: number,
  onRequest: (url: string) => Response | undefined = () => undefined,
): Formwire => {
  let count = 0
  const before = (url: string) => {
    count += 1
    const instead = onRequest(url)
    if (!instead && count >= failing) throw new TypeError('no connection')
    return instead
  }
  return sdkOf(server, before, { maxRetries: 0 })
}

/** A store that writes lines as JSON, and begins with those of an earlier run. */
const storeOf = (lines: string[]): PullStore => ({
  add: async (line) => lines.push(JSON.stringify(line)) - 1,
  read: async (handle) => JSON.parse(lines[handle] as string) as PullLine,
  async *earlier() {
    for (const [handle, line] of [...lines].entries()) yield { line: JSON.parse(line) as PullLine, handle }
  },
})

/** Pulls until a request fails, changes the service, and pulls the rest. */
async function interrupted(origin: ReferenceServer, failing: number, change: () => void): Promise<Seed> {
  const lines: string[] = []
  await expect(pullWorkspace(clientOf(origin, failing), OPTIONS, storeOf(lines))).rejects.toThrow(
    'lost its connection',
  )
  change()
  const client = clientOf(origin, Number.POSITIVE_INFINITY)
  return await (await pullWorkspace(client, OPTIONS, storeOf(lines))).seed()
}

const idsOf = (seed: Seed): Map<string, number[]> =>
  new Map(
    seed.workspaces[0]?.forms?.map(({ id = '', responses = [] }) => [
      id,
      responses.map((one) => one.id ?? 0),
    ]),
  )

/** Pulls without a failure. */
async function uninterrupted(origin: ReferenceServer): Promise<{ whole: Seed; requests: number }> {
  let requests = 0
  const client = clientOf(origin, Number.POSITIVE_INFINITY, () => {
    requests += 1
  })
  const whole = await (await pullWorkspace(client, OPTIONS)).seed()
  expect(requests).toBeGreaterThan(8)
  return { whole, requests }
}

it('continues after a failure of any request to the seed of a pull without one', async () => {
  await using origin = await serverOf(await workspace())
  const { whole, requests } = await uninterrupted(origin)
  for (let failing = 1; failing <= requests; failing += STEP)
    expect(await interrupted(origin, failing, () => undefined), `request ${failing}`).toEqual(whole)
})

it('[RESP-04] has every response once that is not deleted between a failure of any request and the rest', async () => {
  const seed = await workspace()
  await using origin = await serverOf(seed)
  const { whole, requests } = await uninterrupted(origin)
  for (let failing = 1; failing <= requests; failing += STEP) {
    await using changing = await serverOf(seed)
    const gone = new Set<number>()
    const resumed = await interrupted(changing, failing, () => {
      for (const form of formIds(seed).slice(0, 2)) {
        for (const id of (idsOf(whole).get(form) ?? []).filter((_, index) => index % 9 === failing % 9)) {
          changing.app.responses.delete(form, id)
          gone.add(id)
        }
        changing.app.responses.create(form, { answers: [] })
      }
    })
    for (const [form, ids] of idsOf(resumed)) {
      expect(new Set(ids).size, `request ${failing}`).toBe(ids.length)
      const left = (idsOf(whole).get(form) ?? []).filter((id) => !gone.has(id))
      expect(ids, `request ${failing}`).toEqual(expect.arrayContaining(left))
    }
  }
})

const SMALL = 'form00000001'
const LEFT = ['form00000000', 'form00000002']
const formsOf = (seed: Seed): (string | undefined)[] =>
  (seed.workspaces[0]?.forms ?? []).map(({ id }) => id).sort()

/** Changes a server before its nth request, so that it does not show the small form any more. */
const hiding = (origin: ReferenceServer, nth: number, how: 'trashed' | 403) => {
  let count = 0
  return (url: string): Response | undefined => {
    count += 1
    if (how === 'trashed' && count === nth) origin.app.forms.trash(SMALL)
    if (how === 403 && count >= nth && url.includes(SMALL))
      return Response.json({ error: { code: 'forbidden', message: 'no' } }, { status: 403 })
    return undefined
  }
}

it.each(['trashed', 403] as const)(
  '[FORM-03] pulls the other forms when one is %s before any request, and names it as missing',
  async (how) => {
    const seed = await workspace()
    await using origin = await serverOf(seed)
    const { requests } = await uninterrupted(origin)
    const found = new Set<string>()
    for (let nth = 3; nth <= requests; nth += STEP) {
      await using changing = await serverOf(seed)
      const client = clientOf(changing, Number.POSITIVE_INFINITY, hiding(changing, nth, how))
      const { missing, report, seed: made } = await pullWorkspace(client, OPTIONS)
      const forms = formsOf(await made())
      expect([forms, missing], `request ${nth}`).toEqual(
        forms.includes(SMALL) ? [[...LEFT, SMALL].sort(), []] : [LEFT, [SMALL]],
      )
      expect(report.forms.map(({ id }) => id).sort()).toEqual(forms)
      found.add(forms.join())
    }
    expect(found.size).toBe(2)
  },
)

it('[FORM-01] asks for the list again when it continues: a trashed form is missing, a new one is pulled', async () => {
  const seed = await workspace()
  await using origin = await serverOf(seed)
  const { requests } = await uninterrupted(origin)
  const found = new Set<string>()
  for (let failing = 3; failing <= requests; failing += STEP) {
    await using changing = await serverOf(seed)
    let added = ''
    const resumed = await interrupted(changing, failing, () => {
      added = changing.app.forms.create({ title: 'New' }).id
      changing.app.forms.trash(SMALL)
    })
    const forms = formsOf(resumed).filter((id) => id !== SMALL)
    expect(forms, `request ${failing}`).toEqual([...LEFT, added].sort())
    found.add(String(formsOf(resumed).includes(SMALL)))
  }
  expect([...found].sort()).toEqual(['false', 'true'])
})

it('fails with the error of the key when it may not read any more, and with that of the only form', async () => {
  await using origin = await serverOf(await workspace())
  let count = 0
  const refused = clientOf(origin, Number.POSITIVE_INFINITY, () => {
    count += 1
    return count > 4
      ? Response.json({ error: { code: 'forbidden', message: 'no' } }, { status: 403 })
      : undefined
  })
  await expect(pullWorkspace(refused, OPTIONS)).rejects.toMatchObject({ status: 403 })
  const only = clientOf(origin, Number.POSITIVE_INFINITY, hiding(origin, 4, 'trashed'))
  await expect(pullWorkspace(only, { ...OPTIONS, forms: [SMALL] })).rejects.toMatchObject({ status: 404 })
})
