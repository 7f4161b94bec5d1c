import { afterAll, describe, expect, it } from 'vitest'
import { byTier } from '../../../../test/support/cases.ts'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'
import { ask as askServer } from '../support/server.ts'
import { SNAPSHOT } from './dump.ts'

const WRONG: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  12,
  -1,
  1.5,
  1e300,
  Number.NaN,
  '',
  'x',
  '__proto__',
  [],
  [null],
  ['x'],
  {},
  { a: 1 },
  12n,
  () => 12,
]

const bugs: unknown[] = []
const server: ReferenceServer = createReferenceServer({
  clock: 'manual',
  limits: 'off',
  report: (cause) => bugs.push(cause),
})
afterAll(() => server.close())

interface Dump {
  state: Record<string, Record<string, unknown>>
}
const parse = (): Dump => JSON.parse(SNAPSHOT) as Dump

/** Every place below a value: `[['people'], ['people', 'users'], ['people', 'users', 0] …]`. */
function placesOf(
  value: unknown,
  place: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [place]
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [place, ...members.flatMap(([name, member]) => placesOf(member, [...place, name]))]
}

const nameOf = (place: readonly (string | number)[]): string =>
  place.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${part}`),
    'state',
  )

function put(dump: Dump, place: readonly (string | number)[], value: unknown): void {
  const parent = place.slice(0, -1).reduce<object>((at, name) => Reflect.get(at, name) as object, dump.state)
  Reflect.set(parent, place.at(-1) as string, value)
}

/** Reads everything that a server shows, and lets time pass. */
async function useEverything(): Promise<void> {
  const ask = async (path: string, method = 'GET', body?: object, accept = 'application/json') => {
    const { status } = await askServer(server, method, path, body, { accept })
    expect([path, method, status < 500]).toEqual([path, method, true])
  }
  const { app } = server
  app.snapshot.take()
  for (const path of ['workspaces', 'users', 'keys', 'forms', 'clock', 'requests']) await ask(`/_app/${path}`)
  for (const path of ['/me', '/forms', '/forms?status=published']) await ask(`/api/v1${path}`)
  for (const { id, slug } of app.forms.list()) {
    await ask(`/f/${slug}`)
    await ask(`/f/${slug}`, 'GET', undefined, 'text/html')
    await ask(`/f/${slug}`, 'POST', { answers: [] })
    for (const path of ['', '/responses', '/responses?status=in_progress', '/webhooks'])
      await ask(`/api/v1/forms/${id}${path}`)
    for (const { id: endpoint } of app.webhooks.list(id)) {
      for (const { id: delivery } of app.deliveries.list(id, endpoint))
        await ask(`/_app/deliveries/${delivery}`)
      await ask(`/_app/forms/${id}/webhooks/${endpoint}/test`, 'POST')
    }
    app.forms.get(id)
  }
  for (const { draft } of server.app.snapshot.take().state.responses.responses) {
    if (!draft) continue
    const path = `/f/every/drafts/${encodeURIComponent(draft.token)}`
    await ask(path)
    await ask(path, 'GET', undefined, 'text/html')
    await ask(path, 'PUT', { answers: [] })
    await ask(`${path}/submit`, 'POST')
  }
  await server.clock.advance('13h')
}

/** What may hold any JSON, or is read as the builder reads it and refused by the part that is wrong. */
const FREE = /\.meta\.|\.draft\.answers\[\d+\]\.value|\.questions\[|\.value\.|\.body$/

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value

describe('a snapshot with one wrong value', () => {
  it('is refused with the path of the value, or loads into a working server', async () => {
    const state = parse().state
    const seen = new Set<string>()
    const places = placesOf(state).filter((place) => {
      // One of each kind is enough; answers differ by the type of their question.
      const kind = nameOf(place).replaceAll(/(?<!answers)\[\d+\]/g, '[]')
      if (place.length === 0 || place[0] === 'version' || seen.has(kind)) return false
      return seen.add(kind)
    })
    // A part of the values at each place, another part at the next one; all of them where time is given.
    const share = process.env.FORMWIRE_PROPERTY_RUNS ? 1 : byTier(WRONG.length, 8)
    let accepted = 0
    for (const [index, place] of places.entries()) {
      const name = nameOf(place)
      const right = place.reduce<unknown>((at, part) => Reflect.get(at as object, part), state)
      for (const wrong of WRONG.filter((_, at) => (at + index) % share === 0)) {
        const snapshot = parse()
        put(snapshot, place, wrong)
        let refusal: { details?: { field?: string }; status?: number } | undefined
        try {
          server.app.snapshot.restore(snapshot)
        } catch (error) {
          refusal = error as typeof refusal
        }
        const otherKind =
          right !== null && wrong !== null && wrong !== undefined && kindOf(right) !== kindOf(wrong)
        if (otherKind && !FREE.test(name)) {
          expect([name, wrong, refusal?.status, refusal?.details]).toEqual([
            name,
            wrong,
            422,
            { field: name },
          ])
        } else if (refusal) {
          expect([name, wrong, refusal.status, refusal.details]).toEqual([
            name,
            wrong,
            422,
            { field: expect.stringMatching(/^state\.\w+/) },
          ])
        } else {
          accepted += 1
          await useEverything()
          expect([name, wrong, bugs]).toEqual([name, wrong, []])
        }
      }
    }
    expect(accepted).toBeGreaterThan(20)
    expect(places.length).toBeGreaterThan(150)
  })

  it('is refused by one sentence with its path', () => {
    const snapshot = parse()
    put(snapshot, ['forms', 'forms', 0, 'title'], 12)
    expect(() => server.app.snapshot.restore(snapshot)).toThrow(
      'The snapshot is damaged: state.forms.forms[0].title must be a string of 1 to 200 characters, got 12. Take a new one.',
    )
  })
})
