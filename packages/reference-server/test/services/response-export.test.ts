import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { ReferenceServer } from '../../src/index.ts'
import { ask, openServer } from '../support/server.ts'

let server: ReferenceServer

function start(): string {
  server = openServer({ clock: 'manual', now: '2026-11-21T12:00:00Z' })
  const { id } = server.app.forms.create({
    title: 'Survey',
    questions: [
      { id: 'name', type: 'short_text', title: 'Name, "full"' },
      { id: 'age', type: 'number', title: 'Age' },
    ],
  })
  return server.app.forms.publish(id).id
}

const answer = (form: string, name: string, age?: number) =>
  server.app.responses.create(form, {
    answers: [
      { question_id: 'name', value: name },
      ...(age === undefined ? [] : [{ question_id: 'age', value: age }]),
    ],
    email: 'ada@example.com',
  })

const HEAD =
  'id,status,started_at,submitted_at,duration_sec,email,score,max_score,"Name, ""full""",Age,other_answers'
const FACTS = 'submitted,2026-11-21T12:00:00.000Z,2026-11-21T12:00:00.000Z,0,ada@example.com,,'

describe('the export of responses', () => {
  it('writes a column for each question, newest first', async () => {
    const form = start()
    answer(form, 'Ada', 36)
    answer(form, 'Two\nlines')
    answer(form, '=1+1')
    expect((await text(server.app.responses.export(form, 'csv', 'submitted'))).split('\r\n')).toEqual([
      HEAD,
      `3,${FACTS},'=1+1,,`,
      `2,${FACTS},"Two\nlines",,`,
      `1,${FACTS},Ada,36,`,
      '',
    ])
  })

  it('has columns for meta, and gives each column a name of its own', async () => {
    const form = start()
    server.app.forms.publish(
      server.app.forms.update(form, {
        questions: [
          { id: 'a', type: 'short_text', title: 'Email' },
          { id: 'b', type: 'short_text', title: 'Other_answers' },
        ],
      }).id,
    )
    server.app.responses.create(form, { answers: [], meta: { ref: 'x', utm: { source: 'mail' } } })
    const [head, row] = (await text(server.app.responses.export(form, 'csv', 'submitted'))).split('\r\n')
    expect(head?.split(',').slice(8)).toEqual([
      'Email (a)',
      'Other_answers (b)',
      'meta.ref',
      'meta.utm.source',
      'other_answers',
    ])
    expect(row?.split(',').slice(8)).toEqual(['', '', 'x', 'mail', ''])
  })

  it('keeps the answers to questions that were removed from the form', async () => {
    const form = start()
    answer(form, 'Ada', 36)
    server.app.forms.publish(
      server.app.forms.update(form, { questions: [{ id: 'age', type: 'number', title: 'Age' }] }).id,
    )
    const [head, row] = (await text(server.app.responses.export(form, 'csv', 'submitted'))).split('\r\n')
    expect(head).toBe(HEAD.replace('"Name, ""full""",', ''))
    expect(row).toBe(`1,${FACTS},36,"Name, ""full"": Ada"`)
  })

  it('writes JSON as the API shows responses, and an empty list without any', async () => {
    const form = start()
    const { json } = answer(form, 'Ada', 36)
    expect(JSON.parse(await text(server.app.responses.export(form, 'json', 'submitted')))).toEqual([
      JSON.parse(json),
    ])
    expect(JSON.parse(await text(server.app.responses.export(form, 'json', 'in_progress')))).toEqual([])
  })

  it('does not change while it is written', async () => {
    const form = start()
    for (let index = 0; index < 250; index++) answer(form, `N${index}`)
    const chunks = server.app.responses.export(form, 'json', 'submitted')
    let written = String(Buffer.from((await chunks.next()).value as Uint8Array))
    answer(form, 'late')
    server.app.responses.delete(form, 20)
    for await (const chunk of chunks) written += Buffer.from(chunk)
    expect(JSON.parse(written).map(({ id }: { id: number }) => id)).toEqual(
      Array.from({ length: 250 }, (_, index) => 250 - index),
    )
  })

  it('is a download over HTTP, with the admin token only', async () => {
    const form = start()
    const path = `/_app/forms/${form}/export?format=csv`
    expect((await ask(server, 'GET', path, undefined, { authorization: '' })).status).toBe(401)
    const { headers, text: csv } = await ask(server, 'GET', path)
    const { slug } = server.app.forms.get(form)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${slug}.csv"`)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    // No byte order mark, as in the exports of the CLI.
    expect(csv.slice(0, 3)).toBe('id,')
    expect((await ask(server, 'GET', path.replace('csv', 'xml'))).status).toBe(422)
  })
})
