import { QUESTION_TYPES } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { sampleAnswers } from '../../../console/src/sample-answers.ts'
import { createReferenceServer } from '../../src/index.ts'

const choices = (...ids: string[]) => ids.map((id) => ({ id, label: id.toUpperCase() }))
const PARTS: Readonly<Record<string, object>> = {
  single_choice: { options: choices('a', 'b') },
  dropdown: { options: choices('a', 'b') },
  multiple_choice: { options: choices('a', 'b', 'c') },
  ranking: { options: choices('a', 'b', 'c') },
  grid_single: { rows: choices('r', 's'), columns: choices('c', 'd') },
  grid_multiple: { rows: choices('r', 's'), columns: choices('c', 'd') },
}

/** Publishes the questions, all required by default, and submits the sample answers of the console. */
async function submitSample(questions: readonly object[], draw?: () => number) {
  const server = createReferenceServer()
  const form = server.app.forms.publish(
    server.app.forms.create({
      title: 'Feedback',
      questions: questions.map((one) => ({ required: true, ...one })),
    }).id,
  )
  const url = `http://formwire.test/f/${form.slug}`
  const shown = await server.fetch(new Request(url, { headers: { accept: 'application/json' } }))
  const answers = sampleAnswers(JSON.parse(await shown.text()).data.questions, draw)
  if (!answers) return { answers, status: undefined }
  const sent = await server.fetch(
    new Request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ answers }),
    }),
  )
  return { answers, status: sent.status, text: await sent.text() }
}

const withoutFiles = QUESTION_TYPES.filter((type) => type !== 'file' && type !== 'signature')

describe('the sample answers of a command', () => {
  it.each(withoutFiles)('[RESP-07] are valid for a required question of type %s', async (type) => {
    const { answers, status, text } = await submitSample([{ id: 'q', type, title: 'T', ...PARTS[type] }])
    expect([status, text, answers?.length]).toEqual([201, expect.any(String), 1])
  })

  it.each([
    { type: 'short_text', min: 12, max: 14 },
    { type: 'long_text', max: 3 },
    { type: 'email', min: 30 },
    { type: 'url', min: 40 },
    { type: 'date', max: '1999-12-31' },
    { type: 'time', min: '18:30', max: '19:00' },
    { type: 'number', min: -5, max: -4.5 },
    { type: 'number', max: -7 },
    { type: 'scale', min: -3, max: 3 },
    { type: 'nps', min: 1, max: 5 },
    { type: 'slider', min: 0.5, max: 0.75 },
    { type: 'multiple_choice', min: 2, max: 2 },
  ])('[RESP-07] are within the bounds of $type', async ({ type, ...bounds }) => {
    const { status, text } = await submitSample([{ id: 'q', type, title: 'T', ...PARTS[type], ...bounds }])
    expect([status, text]).toEqual([201, expect.any(String)])
  })

  it.each(withoutFiles)('[RESP-07] are valid for a question of type %s when they are drawn', async (type) => {
    for (const share of [0, 0.3, 0.6, 0.999]) {
      const question = { id: 'q', type, title: 'T', required: false, ...PARTS[type] }
      const { answers, status, text } = await submitSample([question], () => share)
      expect([status, text, answers?.length]).toEqual([201, expect.any(String), 1])
    }
  })

  it.each([
    { type: 'multiple_choice', min: 2, max: 2 },
    { type: 'long_text', max: 5 },
    { type: 'short_text', min: 40, max: 50 },
    { type: 'nps', min: 1, max: 5 },
    { type: 'rating', min: 3, max: 4 },
    { type: 'slider', min: 0.5, max: 0.75 },
    { type: 'slider', min: 20, max: 40 },
    { type: 'number', max: -7 },
    { type: 'number', min: 3.5 },
    { type: 'date', max: '1999-12-31' },
    { type: 'time', min: '19:10', max: '19:20' },
    { type: 'email', min: 30 },
  ])('[RESP-07] are within the bounds of $type when they are drawn', async ({ type, ...bounds }) => {
    for (const share of [0, 0.5, 0.999]) {
      const question = { id: 'q', type, title: 'T', ...PARTS[type], ...bounds }
      const { status, text } = await submitSample([question], () => share)
      expect([status, text]).toEqual([201, expect.any(String)])
    }
  })

  it.each(['slider', 'number', 'date', 'time', 'email', 'address'])(
    '[RESP-07] vary for a question of type %s when they are drawn',
    async (type) => {
      const value = async (share: number) =>
        (await submitSample([{ id: 'q', type, title: 'T' }], () => share)).answers?.[0]?.value
      expect(await value(0.1)).not.toEqual(await value(0.9))
    },
  )

  it('leave out an optional upload when they are drawn', async () => {
    const { answers, status } = await submitSample(
      [
        { id: 'cv', type: 'file', title: 'CV', required: false },
        { id: 'name', type: 'short_text', title: 'Name', required: false },
      ],
      () => 0,
    )
    expect([status, answers?.map(({ question_id: id }) => id)]).toEqual([201, ['name']])
  })

  it('are valid for each open form of the demo', async () => {
    const server = createReferenceServer({ seed: 'demo' })
    await server.ready
    const accepted: unknown[] = []
    for (const { slug } of server.app.forms.list()) {
      const url = `http://formwire.test/f/${slug}`
      const shown = await server.fetch(new Request(url, { headers: { accept: 'application/json' } }))
      if (!shown.ok) continue
      const answers = sampleAnswers(JSON.parse(await shown.text()).data.questions)
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ answers })
      const sent = await server.fetch(new Request(url, { method: 'POST', headers, body }))
      accepted.push([slug, sent.status])
    }
    expect(accepted).toEqual([
      ['guest-feedback', 201],
      ['autumn-retreat', 201],
      ['studio-safety', 201],
    ])
  })

  it('[RESP-06] leave out optional questions, and include questions that they cause to be shown', async () => {
    const { answers, status } = await submitSample([
      { id: 'pet', type: 'yes_no', title: 'A pet?' },
      { id: 'name', type: 'short_text', title: 'Its name?', show_if: { question_id: 'pet', equals: 'yes' } },
      { id: 'why', type: 'short_text', title: 'Why not?', show_if: { question_id: 'pet', equals: 'no' } },
      { id: 'more', type: 'long_text', title: 'More?', required: false },
    ])
    expect(status).toBe(201)
    expect(answers).toEqual([
      { question_id: 'pet', value: { ids: ['yes'], other: null } },
      { question_id: 'name', value: 'Example' },
    ])
  })

  it.each(['file', 'signature'])('are undefined if a %s is required', async (type) => {
    expect((await submitSample([{ id: 'q', type, title: 'T' }])).answers).toBeUndefined()
  })
})
