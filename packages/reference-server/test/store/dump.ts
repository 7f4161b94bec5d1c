import { createReferenceServer } from '../../src/index.ts'
import type { StateDump } from '../../src/store/state.ts'
import { createSeedFactory, everyQuestion } from '../../src/testing/index.ts'

/** Removes the member instead of replacing it. */
export const ABSENT = Symbol('absent')

/** A form with a question of every type. */
const FORM_ID = 'everytype001'

/** The text of a snapshot in which every table has records of every kind. */
export const SNAPSHOT = JSON.stringify(await takeSnapshot())

async function takeSnapshot(): Promise<unknown> {
  const factory = await createSeedFactory(3)
  const questions = everyQuestion().map((question) => ({ ...question, required: false }))
  const seed = factory.seed(
    factory.form({ id: FORM_ID, slug: 'every', questions, responses: 4, drafts: 2 }),
    factory.form({ id: 'archived0001', status: 'archived', responses: 1 }),
    factory.form({ id: 'trashed00001', trashed: true }),
  )
  const server = createReferenceServer({ seed, clock: 'manual', now: '2026-03-02T12:00:00Z', limits: 'off' })
  await server.ready
  const { app } = server
  app.workspaces.create({ name: 'Other' })
  app.keys.revoke(app.keys.create({ name: 'Old', scope: 'read' }).id)
  // Nothing listens there: an attempt fails at once.
  await app.webhooks.create(FORM_ID, { url: 'http://127.0.0.1:9/' })
  const form = app.forms.get(FORM_ID)
  app.forms.update(FORM_ID, { response_limit: 100, opens_at: '2026-01-01', closes_at: '2027-01-01' })
  app.forms.update(FORM_ID, { language: 'en' })
  app.forms.publish(FORM_ID)
  const page = await (await server.fetch(form.url)).text()
  const [, token = ''] = /name="submit_token" value="([^"]*)"/.exec(page) ?? []
  await server.fetch(form.url, { method: 'POST', body: new URLSearchParams({ submit_token: token }) })
  app.responses.create(FORM_ID, { deliver: true })
  const upload = new FormData()
  upload.set('question_id', 'file')
  upload.set('file', new File(['x'], 'cv.pdf'))
  await server.fetch(`${form.url}/files`, { method: 'POST', body: upload })
  await server.clock.advance(0)
  app.deliveries.replay(app.deliveries.list(FORM_ID, 1)[0]?.id ?? '')
  await server.clock.advance('15h')
  app.responses.create(FORM_ID, { deliver: true })
  await server.clock.advance(0)
  const taken = app.snapshot.take()
  await server.close()
  return taken
}

/** Returns the state of the snapshot with one other value, such as at `forms.forms[0].slug`. */
export function dumpWith(path?: string, value?: unknown): StateDump {
  const dump: StateDump = JSON.parse(SNAPSHOT).state
  if (path === undefined) return dump
  const names = path.split(/[.[\]]+/).filter((name) => name !== '')
  const last = names.pop() as string
  const parent = names.reduce<object>((at, name) => Reflect.get(at, name) as object, dump)
  if (value === ABSENT) Reflect.deleteProperty(parent, last)
  else Reflect.set(parent, last, value)
  return dump
}
