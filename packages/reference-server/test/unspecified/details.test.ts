import { describe, expect, it } from 'vitest'
import { createReferenceServer, type ReferenceServer, type Seed } from '../../src/index.ts'
import { createSeedFactory } from '../../src/seed/factory.ts'
import type { Unspecified } from '../../src/unspecified.ts'
import { ask } from '../support/server.ts'
import { everyAnswer, everyQuestion, TEXTS, TYPE_NAMES } from './every-answer.ts'

const START = '2026-03-01T12:00:00.000Z'

async function open(unspecified: Partial<Unspecified>, seed?: Seed): Promise<ReferenceServer> {
  const server = createReferenceServer({ clock: 'manual', now: START, unspecified, seed })
  await server.ready
  return server
}

function publish(server: ReferenceServer, draft: Parameters<ReferenceServer['app']['forms']['create']>[0]) {
  const form = server.app.forms.publish(server.app.forms.create(draft).id)
  return { ...form, path: `/api/v1/forms/${form.id}` }
}

describe('datesChangeStatus: true', () => {
  const dates = { datesChangeStatus: 'true' } as const

  it('[FORM-13] shows published again once the form has room or a later end', async () => {
    const server = await open(dates)
    const form = publish(server, { title: 'Form', response_limit: 1, closes_at: '2026-03-01T13:00:00Z' })
    const status = async () => (await ask(server, 'GET', form.path)).json.data.status
    const { id } = server.app.responses.create(form.id)
    expect(await status()).toBe('closed')
    await ask(server, 'DELETE', `${form.path}/responses/${id}`)
    expect(await status()).toBe('published')
    await server.clock.advance('1h')
    expect(await status()).toBe('closed')
    server.app.forms.update(form.id, { closes_at: '2026-03-01T14:00:00Z' })
    expect(await status()).toBe('published')
    expect((await ask(server, 'GET', '/api/v1/forms?status=published')).json.meta.total).toBe(1)
  })

  it('[FORM-08][FORM-13] accepts reopening past the end, and still shows closed', async () => {
    const server = await open(dates)
    const form = publish(server, { title: 'Form', closes_at: START })
    expect(await ask(server, 'PATCH', form.path, { status: 'published' })).toMatchObject({
      status: 200,
      json: { data: { status: 'closed', published: true } },
    })
  })

  it('[FORM-08][FORM-13] refuses reopening past the end with reopen: refusedPastEnd, though the form was never closed', async () => {
    const server = await open({ ...dates, reopen: 'refusedPastEnd', publishedWhenClosed: 'false' })
    const form = publish(server, { title: 'Form', closes_at: START })
    expect(await ask(server, 'PATCH', form.path, { status: 'published' })).toMatchObject({
      status: 422,
      json: { error: { details: { field: 'status' } } },
    })
    expect((await ask(server, 'GET', form.path)).json.data).toMatchObject({
      status: 'closed',
      published: false,
    })
  })

  it('[FORM-13] does not change drafts and archived forms', async () => {
    const server = await open(dates)
    const { id } = server.app.forms.create({ title: 'Draft', closes_at: START })
    expect((await ask(server, 'GET', `/api/v1/forms/${id}`)).json.data.status).toBe('draft')
    const form = publish(server, { title: 'Form', closes_at: START })
    server.app.forms.archive(form.id)
    expect((await ask(server, 'GET', form.path)).json.data.status).toBe('archived')
    expect(server.app.forms.unarchive(form.id).status).toBe('closed')
  })

  it('[FORM-02][FORM-13] applies to forks, snapshots and after a reset', async () => {
    const server = await open(dates)
    publish(server, { title: 'Form', closes_at: '2026-03-01T13:00:00Z' })
    const closed = async (one: ReferenceServer) =>
      (await ask(one, 'GET', '/api/v1/forms?status=closed')).json.meta.total
    const before = server.app.snapshot.take()
    const fork = server.fork()
    await server.clock.advance('1h')
    expect([await closed(server), await closed(fork)]).toEqual([1, 0])
    await fork.clock.advance('2h')
    expect(await closed(fork)).toBe(1)
    fork.app.reset()
    expect(await closed(fork)).toBe(0)
    server.app.snapshot.restore(before)
    expect(await closed(server)).toBe(0)
    await server.clock.advance('1h')
    expect(await closed(server)).toBe(1)
  })
})

describe('draftDeletion: countLowered', () => {
  it('[FORM-12] keeps the count when a draft is submitted', async () => {
    const server = await open({ draftDeletion: 'countLowered', submittedDraft: 'newId' })
    const { path, slug } = publish(server, { title: 'Form' })
    const { token } = (await ask(server, 'POST', `/f/${slug}/drafts`, { answers: [] })).json.data
    await ask(server, 'POST', `/f/${slug}/drafts/${token}/submit`)
    expect((await ask(server, 'GET', path)).json.data.response_count).toBe(1)
  })
})

describe('submittedDraft: newId', () => {
  it('[RESP-04][RESP-09] moves the uploads of the submission to the new response and drops the others', async () => {
    const server = await open({ submittedDraft: 'newId' })
    const { path, slug } = publish(server, {
      title: 'Form',
      questions: [{ id: 'cv', type: 'file', title: 'CV' }],
    })
    const upload = async (name: string) => {
      const body = new FormData()
      body.append('file', new Blob(['12345']), name)
      return (await ask(server, 'POST', `/f/${slug}/files`, body)).json.data
    }
    const [kept, dropped] = [await upload('kept.txt'), await upload('dropped.txt')]
    const answers = [{ question_id: 'cv', value: [kept, dropped] }]
    const { token } = (await ask(server, 'POST', `/f/${slug}/drafts`, { answers })).json.data
    const submission = { answers: [{ question_id: 'cv', value: [kept] }] }
    const { id } = (await ask(server, 'POST', `/f/${slug}/drafts/${token}/submit`, submission)).json.data
    const uploads = () =>
      server.app.snapshot.take().state.uploads.uploads.map(({ name, responseId }) => [name, responseId])
    expect(uploads()).toEqual([['kept.txt', id]])
    await ask(server, 'DELETE', `${path}/responses/${id}`)
    expect(uploads()).toEqual([])
  })
})

describe('questionTypeNames and answerTexts', () => {
  const variant = { questionTypeNames: 'variant', answerTexts: 'variant' } as const
  const fill = (server: ReferenceServer) => {
    const form = publish(server, { title: 'Form', questions: everyQuestion })
    server.app.responses.create(form.id, { answers: everyAnswer })
    return `${form.path}/responses`
  }
  const answersAt = async (server: ReferenceServer, path: string) =>
    (await ask(server, 'GET', path)).json.data[0].answers as { type: string; text: string }[]

  it('[RESP-07] uses the type names of the server that restores a snapshot, and keeps the texts', async () => {
    const [one, other] = [await open(variant), await open({})]
    const path = fill(one)
    other.app.snapshot.restore(one.app.snapshot.take())
    one.app.snapshot.restore(other.app.snapshot.take())
    for (const [server, types] of [
      [one, TYPE_NAMES],
      [other, everyQuestion.map(({ type }) => type)],
    ] as const) {
      const answers = await server.fetch(`http://formwire.test${path}`, {
        headers: { authorization: `Bearer ${one.writeKey}` },
      })
      const { data } = await answers.json()
      expect(data[0].answers.map(({ type }: { type: string }) => type)).toEqual(types)
      expect(data[0].answers.map(({ text }: { text: string }) => text)).toEqual(TEXTS.variant)
    }
  })

  it('[RESP-07] writes seeded responses and those of the public form alike', async () => {
    const make = await createSeedFactory()
    const questions = [make.question('number', { id: 'n', title: 'N' })]
    const responses = [{ answers: [{ question_id: 'n', value: 1 }] }]
    const form = make.form({ id: 'seededform01', slug: 'seeded', questions, responses })
    const server = await open(variant, make.seed(form))
    const path = '/api/v1/forms/seededform01/responses'
    const written = [{ question_id: 'n', title: 'N', type: 'numeric', value: 1, text: '1.00' }]
    expect(await answersAt(server, path)).toEqual(written)
    const answers = [{ question_id: 'n', value: 1 }]
    await ask(server, 'POST', '/f/seeded', { answers })
    await ask(server, 'POST', '/f/seeded/drafts', { answers })
    expect(await answersAt(server, path)).toEqual(written)
    expect(await answersAt(server, `${path}?status=in_progress`)).toEqual(written)
  })

  it("[RESP-07] keeps a draft's file that has no upload", async () => {
    const server = await open(variant)
    const { id, slug, path } = publish(server, {
      title: 'Form',
      questions: [{ id: 'cv', type: 'file', title: 'CV' }],
    })
    const value = [{ id: 'file_1', name: 'cv.pdf', size: 7 }]
    const draft = server.app.responses.create(id, {
      status: 'in_progress',
      answers: [{ question_id: 'cv', value }],
    })
    const submitted = await ask(server, 'POST', `/f/${slug}/drafts/${draft.draft?.token}/submit`)
    expect(submitted.status).toBe(201)
    expect(await answersAt(server, `${path}/responses`)).toMatchObject([{ type: 'file_upload', value }])
  })
})
