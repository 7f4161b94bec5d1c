import { expect } from 'vitest'
import { PATIENT } from '../../../../../test/support/patience.ts'
import { createMockReceiver } from '../../../src/receiver/index.ts'
import { everyAnswer, everyQuestion, TEXTS } from '../../unspecified/every-answer.ts'
import type { World } from '../world.ts'
import { expectEach, shows } from './case.ts'

const options = ['a', 'b', 'c'].map((id) => ({ id, label: id }))

const publish = async ({ app }: World, json: object): Promise<{ id: string; slug: string }> => {
  const form = (await app('POST', '/forms', { json })).json.data
  expect((await app('POST', `/forms/${form.id}/publish`)).status).toBe(200)
  return form
}

const upload = async ({ any }: World, slug: string, question: string, content: string) => {
  const edge = 'edge-of-part'
  const body = [
    `--${edge}\r\nContent-Disposition: form-data; name="question_id"\r\n\r\n${question}\r\n`,
    `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="notes.txt"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n`,
    `--${edge}--\r\n`,
  ].join('')
  const { status, json } = await any('POST', `/f/${slug}/files`, {
    body,
    headers: { 'content-type': `multipart/form-data; boundary=${edge}` },
  })
  expect([status, json]).toMatchObject([201, { data: { name: 'notes.txt', size: content.length } }])
  return json.data as { id: string; name: string; size: number }
}

export const answerCases = [
  shows(
    'DLV-03 RESP-07',
    'returns value and text in the documented shape for all 22 types, in the API as in an event',
    async (world) => {
      const form = await publish(world, { title: 'Every type', questions: everyQuestion })
      const expected: Record<string, unknown>[] = []
      for (const [at, { question_id, value }] of everyAnswer.entries()) {
        const isFile = question_id === 'file' || question_id === 'signature'
        expected.push({
          question_id,
          title: `A ${question_id}`,
          type: question_id,
          value: isFile ? [await upload(world, form.slug, question_id, 'ink')] : value,
          text: isFile ? 'notes.txt' : TEXTS.default[at],
        })
      }
      const receiver = await createMockReceiver().listen()
      try {
        await world.api('POST', `/forms/${form.id}/webhooks`, { json: { url: receiver.url } })
        const answers = expected.map(({ question_id, value }) => ({ question_id, value })).reverse()
        const { id } = (await world.any('POST', `/f/${form.slug}`, { json: { answers } })).json.data
        const [delivery] = await receiver.waitFor(1, PATIENT)
        const response = (await world.api('GET', `/forms/${form.id}/responses/${id}`)).json.data
        expect([response.answers, response.answers.length]).toEqual([expected, 22])
        expect(delivery?.payload?.response.answers).toEqual(expected)
      } finally {
        await receiver.close()
      }
    },
  ),
  shows(
    'RESP-07 RESP-10 RESP-04',
    'returns name and size of files and signatures, and their bytes on no route',
    async (world) => {
      const questions = [
        { id: 'cv', type: 'file', title: 'CV' },
        { id: 'sign', type: 'signature', title: 'Sign here' },
      ]
      const form = await publish(world, { title: 'Files', questions })
      const cv = await upload(world, form.slug, 'cv', 'never served again')
      const sign = await upload(world, form.slug, 'sign', 'ink')
      const answers = [
        { question_id: 'cv', value: [cv] },
        { question_id: 'sign', value: [sign] },
      ]
      const { id } = (await world.any('POST', `/f/${form.slug}`, { json: { answers } })).json.data
      const response = (await world.api('GET', `/forms/${form.id}/responses/${id}`)).json.data
      expect(response.answers).toEqual([
        {
          question_id: 'cv',
          title: 'CV',
          type: 'file',
          value: [{ id: cv.id, name: 'notes.txt', size: 18 }],
          text: 'notes.txt',
        },
        {
          question_id: 'sign',
          title: 'Sign here',
          type: 'signature',
          value: [{ id: sign.id, name: 'notes.txt', size: 3 }],
          text: 'notes.txt',
        },
      ])
      const paths = [
        `/f/${form.slug}/files/${cv.id}`,
        `/f/${form.slug}/files`,
        `/api/v1/files/${cv.id}`,
        `/api/v1/forms/${form.id}/responses/${id}/files/${cv.id}`,
        `/api/v1/forms/${form.id}/files/${cv.id}`,
      ]
      const { writeKey: key } = world.server
      await expectEach(paths, async (path) => (await world.any('GET', path, { key })).status, 404)
      expect((await world.app('GET', `/forms/${form.id}/responses`)).text).not.toContain('never served again')
      expect((await world.api('DELETE', `/forms/${form.id}/responses/${id}`)).status).toBe(200)
      const again = await world.any('POST', `/f/${form.slug}`, { json: { answers } })
      expect([again.status, again.json.error.details]).toEqual([422, { field: 'cv' }])
    },
  ),
  shows('RESP-05', 'adds decimal points without rounding errors', async (world) => {
    const points = { a: 0.1, b: 0.2, c: 0.7 }
    const form = await publish(world, {
      title: 'Decimals',
      questions: [{ id: 'all', type: 'multiple_choice', title: 'All', options, points }],
    })
    const answers = [{ question_id: 'all', value: { ids: ['a', 'b'], other: null } }]
    const { id } = (await world.any('POST', `/f/${form.slug}`, { json: { answers } })).json.data
    expect((await world.api('GET', `/forms/${form.id}/responses/${id}`)).json.data).toMatchObject({
      score: 0.3,
      max_score: 1,
    })
  }),
  shows(
    'RESP-07 ERR-03',
    'rejects an invalid answer with its question in field and message, on the public link and when back-filled',
    async (world) => {
      const form = await publish(world, {
        title: 'Two questions',
        questions: [
          { id: 'stars', type: 'rating', title: 'Stars' },
          { id: 'day', type: 'date', title: 'Day', required: true },
        ],
      })
      const answers = [{ question_id: 'stars', value: 9 }]
      const day = [{ question_id: 'day', value: '2026-02-30' }]
      for (const [sent, field, message] of [
        [answers, 'stars', '"stars": Enter a whole number from 1 to 5.'],
        [day, 'day', '"day": Enter a valid date as YYYY-MM-DD.'],
        [[], 'day', '"day": Please answer this question.'],
      ] as const) {
        for (const reply of [
          await world.any('POST', `/f/${form.slug}`, { json: { answers: sent } }),
          await world.app('POST', `/forms/${form.id}/responses`, { json: { answers: sent } }),
        ]) {
          expect([reply.status, reply.json.error]).toEqual([
            422,
            { code: 'validation_failed', message, details: { field } },
          ])
        }
      }
      expect((await world.api('GET', `/forms/${form.id}`)).json.data.response_count).toBe(0)
    },
  ),
]
