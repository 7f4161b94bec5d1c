import { describe, expect, it } from 'vitest'
import { searchContent } from '../../src/person/file-content.ts'

const ADA = 'ada@example.com'
const answers = (value: unknown) => [
  { question_id: 'mail', title: 'Mail', type: 'email', value, text: value },
]
const search = (content: unknown) =>
  searchContent(typeof content === 'string' ? content : JSON.stringify(content), ADA)

describe('searchContent()', () => {
  it('removes responses from a list or a seed, and keeps the others', () => {
    const other = { id: 2, form_id: 'f', email: 'bo@example.com', answers: [] }
    expect(search([{ id: 1, form_id: 'f', email: 'ADA@example.com ', answers: [] }, other])).toEqual({
      found: [{ form_id: 'f', id: 1, columns: ['email'] }],
      rest: `${JSON.stringify([other])}\n`,
      mentions: false,
    })
    const seed = (responses: object[]) => ({
      version: 2,
      users: [{ name: 'Ada', email: 'owner@example.com' }],
      workspaces: [{ forms: [{ id: 'survey000001', questions: [], responses }] }],
    })
    const found = search(seed([{ answers: [{ question_id: 'mail', value: ADA }] }, { id: 3, answers: [] }]))
    expect(found.found).toEqual([{ form_id: 'survey000001', id: null, columns: ['mail'] }])
    expect(JSON.parse(found.rest ?? '')).toEqual(seed([{ id: 3, answers: [] }]))
  })

  it.each([
    ['body', (text: string) => text],
    ['body_base64', (text: string) => Buffer.from(text).toString('base64')],
  ])('leaves nothing of a recording whose %s is a delivery of the person', (name, encoded) => {
    const event = (value: string) =>
      encoded(
        JSON.stringify({
          event: 'response.submitted',
          form: { id: 'f1' },
          response: { id: 7, answers: answers(value) },
        }),
      )
    expect(search({ formwire_recording: 1, [name]: event('Ada@Example.com') })).toEqual({
      found: [{ form_id: 'f1', id: 7, columns: ['mail'] }],
      rest: undefined,
      mentions: false,
    })
    expect(search({ formwire_recording: 1, [name]: event('bo@example.com') }).found).toEqual([])
  })

  it('removes lines of NDJSON: responses, and events that contain one', () => {
    const lines = [
      { id: 1, form_id: 'f', email: null, answers: [] },
      { event: 'response.submitted', form: { id: 'f' }, response: { id: 2, answers: answers(ADA) } },
      { id: 3, form_id: 'f', email: ADA, answers: [] },
    ].map((one) => JSON.stringify(one))
    expect(search(`${lines.join('\n')}\n`)).toEqual({
      found: [
        { form_id: 'f', id: 2, columns: ['mail'] },
        { form_id: 'f', id: 3, columns: ['email'] },
      ],
      rest: `${lines[0]}\n`,
      mentions: false,
    })
  })

  it('removes records of CSV, also those with line breaks and quotes', () => {
    const header = 'id,form_id,email,Why?\r\n'
    const kept = '2,f,bo@example.com,"two\nlines, ""quoted"""\r\n'
    expect(search(`${header}1,f,,"ADA@example.com"\r\n${kept}3,f,ada@example.com,"a\nb"\r\n`)).toEqual({
      found: [
        { form_id: 'f', id: 1, columns: ['Why?'] },
        { form_id: 'f', id: 3, columns: ['email'] },
      ],
      rest: header + kept,
      mentions: false,
    })
  })

  it('removes responses from a state of the reference server', () => {
    const record = (id: number, email: string) => ({
      id,
      formId: 'f',
      draft: { token: 't', answers: [{ question_id: 'mail', value: email }] },
      content: { email, answers: [] },
    })
    const { found, rest } = search({
      responses: { responses: [record(1, ADA), record(2, 'bo@example.com')], lastId: 2 },
    })
    expect(found).toEqual([{ form_id: 'f', id: 1, columns: ['email'] }])
    expect(JSON.parse(rest ?? '')).toEqual({
      responses: { responses: [record(2, 'bo@example.com')], lastId: 2 },
    })
  })

  it.each([
    ['a list', [{ id: 7, form_id: 'f', email: null, answers: answers('x') }]],
    ['a recording', { body: JSON.stringify({ form: { id: 'f' }, response: { id: 7, answers: [] } }) }],
    ['a state', [{ id: 7, formId: 'f', draft: null, content: { email: null, answers: [] } }]],
    ['a state with a draft', [{ id: 7, formId: 'f', draft: { answers: [] }, content: null }]],
    ['CSV', 'id,form_id,email\r\n7,f,\r\n'],
  ])('finds a response by its ids in %s, and not that of another form', (_name, content) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    const found = (formId: string) => searchContent(text, ADA, [{ formId, id: 7 }]).found
    expect(found('f')).toEqual([{ form_id: 'f', id: 7, columns: ['id'] }])
    expect(found('g')).toEqual([])
  })

  it('keeps the indentation of a file', () => {
    const list = [
      { id: 1, email: ADA, answers: [] },
      { id: 2, answers: [] },
    ]
    expect(searchContent(JSON.stringify(list, null, 2), ADA).rest).toBe(
      `${JSON.stringify(list.slice(1), null, 2)}\n`,
    )
  })

  it.each([
    [
      'a text that quotes the address',
      [{ id: 1, email: null, answers: answers(`write to ${ADA.toUpperCase()}`) }],
    ],
    ['a file in another format', `# notes about ${ADA}`],
    ['a CSV without ids', `name,email\nAda,${ADA}\n`],
  ])('reports %s, and leaves it as it is', (_name, content) => {
    expect(search(content)).toEqual({ found: [], rest: undefined, mentions: true })
  })

  it('finds nothing in damaged or other JSON', () => {
    for (const content of ['', '{', 'null', '[1]', { answers: 'x', email: 'bo@example.com' }])
      expect(search(content)).toEqual({ found: [], rest: undefined, mentions: false })
  })
})
