import { describe, expect, it } from 'vitest'
import { everyQuestion } from '../../src/seed/questions.ts'
import { startForm } from './helpers.ts'

const OPTIONS = [
  { id: 'a', label: 'Apple' },
  { id: 'b', label: 'Banana' },
]
const one = (type: string, more: object = {}) => ({ id: 'x', type, title: 'Question', ...more })

const SEPARATED = 'Enter a number. Write it without spaces or separators, and decimals with a point.'

/** Submits a form post with these fields. Returns the value of the answer, or the status and error of the page. */
async function answerOf(question: object, fields: [string, string][]): Promise<unknown> {
  const { post, stored } = await startForm([question])
  const { status, text } = await post('', fields)
  if (status !== 303)
    return [status, /<p class="error"[^>]*><span class="sr-only">Error: <\/span>([^<]*)/.exec(text)?.[1]]
  return stored(1).answers[0]?.value ?? 'skipped'
}

describe('a plain form post', () => {
  it('[RESP-07] responds with 303 to a page that says thank you', async () => {
    const { post, call, form, stored } = await startForm([one('short_text')])
    const response = await post('?ref=mail', [['q[x]', 'Ann & Bob']])
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `/f/${form.slug}/thanks?ref=mail`,
    ])
    const page = await call('GET', '/thanks?ref=mail')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Thank you')
    expect(stored(1).answers[0].value).toBe('Ann & Bob')
  })

  const choice = { options: OPTIONS, allow_other: true }
  const withOther = { options: [...OPTIONS, { id: 'other', label: 'Another fruit' }], allow_other: true }
  const grid = { rows: OPTIONS, columns: OPTIONS }
  const PLACES = 'Rank every option, each in a different place.'

  it.each<[type: string, parts: object, fields: string, expected: unknown]>([
    ['long_text', {}, '=a\r\nb\nc', 'a\nb\nc'],
    ['date', {}, '=2026-02-28', '2026-02-28'],
    ['number', {}, '= -1.5e3 ', -1500],
    ['rating', {}, '=4', 4],
    ['rating', {}, '=', 'skipped'],
    ['number', {}, '=0x10', [422, 'Enter a number.']],
    ['number', {}, '=1e999', [422, 'Enter a number.']],
    [
      'number',
      { min: 1, max: 8 },
      '=2,5',
      [422, 'Enter a number from 1 to 8. Write decimals with a point, not a comma.'],
    ],
    ['time', {}, '=25:00', [422, 'Enter a time from 00:00 to 23:59 as HH:MM.']],
    ['single_choice', choice, '=b', { ids: ['b'], other: null }],
    ['single_choice', choice, '[other]=Fig', { ids: [], other: 'Fig' }],
    ['single_choice', choice, '=&[other]=Fig', { ids: [], other: 'Fig' }],
    ['single_choice', choice, '=a&[other]=Fig', [422, 'Choose one option.']],
    // The value of "Other" where it is not offered.
    ['single_choice', { options: OPTIONS }, '=other', [422, 'Choose from the options of the question.']],
    ['multiple_choice', choice, '=a&=b&[other]=Fig', { ids: ['a', 'b'], other: 'Fig' }],
    // An option whose id is other, next to "Other".
    ['multiple_choice', withOther, '=other', { ids: ['other'], other: null }],
    ['multiple_choice', withOther, '=other&=other_&[other]=Fig', { ids: ['other'], other: 'Fig' }],
    [
      'multiple_choice',
      withOther,
      '=other_',
      [422, 'Enter your other answer, or deselect &quot;Other&quot;.'],
    ],
    ['yes_no', {}, '=yes', { ids: ['yes'], other: null }],
    ['dropdown', { options: OPTIONS }, '=z', [422, 'Choose from the options of the question.']],
    ['ranking', { options: OPTIONS }, '=b&=a', { ids: ['b', 'a'], other: null }],
    ['ranking', { options: OPTIONS }, '[a]=2&[b]=1', { ids: ['b', 'a'], other: null }],
    ['ranking', { options: OPTIONS }, '=b', [422, PLACES]],
    ['ranking', { options: OPTIONS }, '[a]=1&[b]=1', [422, PLACES]],
    ['grid_single', grid, '[a]=b', { a: 'b' }],
    ['grid_multiple', grid, '[b]=a&[b]=b&[zzz]=a', { b: ['a', 'b'] }],
    [
      'address',
      {},
      '[city]=York',
      { line1: '', line2: '', city: 'York', region: '', postal: '', country: '' },
    ],
  ])('[RESP-07] reads %s %j from q[ID]%s', async (type, parts, fields, expected) => {
    const pairs = fields.split('&').map((field): [string, string] => {
      const at = field.indexOf('=')
      return [`q[x]${field.slice(0, at)}`, field.slice(at + 1)]
    })
    expect(await answerOf(one(type, parts), pairs)).toEqual(expected)
  })

  it.each([
    ...['1 000', '1\u202F000,5', '1.000.000', '1,000', '-12,000', '1,000.50', '- 5'].map(
      (text) => ['number', text, SEPARATED] as const,
    ),
    ['number', '1,5', 'Enter a number. Write decimals with a point, not a comma.'],
    ['number', '\u22125', 'Enter a number. Use the digits 0 to 9, and a hyphen (-) for minus.'],
    ['number', '\u201312.5', 'Enter a number. Use the digits 0 to 9, and a hyphen (-) for minus.'],
    ['number', '\uFF14\uFF12', 'Enter a number. Use the digits 0 to 9, and a hyphen (-) for minus.'],
    ['number', '12a', 'Enter a number.'],
    [
      'rating',
      '\uFF14',
      'Enter a whole number from 1 to 5. Use the digits 0 to 9, and a hyphen (-) for minus.',
    ],
    ['rating', '2,5', 'Enter a whole number from 1 to 5.'],
    ['rating', '1,000', 'Enter a whole number from 1 to 5. Write it without spaces or separators.'],
    ['rating', '- 5', 'Enter a whole number from 1 to 5. Write it without spaces or separators.'],
  ] as const)('[RESP-07] says why %s does not take %j', async (type, text, message) => {
    expect(await answerOf(one(type), [['q[x]', text]])).toEqual([422, message])
  })

  it.each([
    ['single_choice', 'choose another option'],
    ['dropdown', 'choose another option'],
    ['multiple_choice', 'deselect &quot;Other&quot;'],
  ])('[RESP-07] keeps "Other" of a %s ticked, and asks for its text', async (type, otherwise) => {
    const question = one(type, { options: OPTIONS, allow_other: true })
    const ticked: [string, string] = ['q[x]', 'other']
    expect(await answerOf(question, [ticked, ['q[x][other]', 'Fig']])).toEqual({ ids: [], other: 'Fig' })
    for (const text of ['', ' '])
      expect(await answerOf(question, [ticked, ['q[x][other]', text]])).toEqual([
        422,
        `Enter your other answer, or ${otherwise}.`,
      ])
    const { post } = await startForm([question])
    const { text: page } = await post('', [ticked])
    expect(page).toMatch(/value="other" (?:checked|selected)/)
    expect(await post('/drafts', [ticked])).toMatchObject({ status: 303 })
  })

  it('[RESP-07] renders a long ranking with one number field per option', async () => {
    const options = Array.from({ length: 31 }, (_, index) => ({ id: `o${index}`, label: `Option ${index}` }))
    const { call, post, stored } = await startForm([one('ranking', { options })])
    expect((await call('GET', '')).text).toContain('name="q[x][o30]"')
    const places = options.map(({ id }, index): [string, string] => [`q[x][${id}]`, String(31 - index)])
    const refused = await post('', places.slice(1))
    expect([
      refused.status,
      refused.text.includes('name="q[x][o30]" type="text" inputmode="numeric" autocomplete="off" value="1"'),
    ]).toEqual([422, true])
    expect((await post('', places)).status).toBe(303)
    expect(stored(1).answers[0].value.ids.slice(0, 2)).toEqual(['o30', 'o29'])
  })

  it('[RESP-07] accepts files and signatures in a multipart post', async () => {
    const { post, stored } = await startForm([one('file', { id: 'f' }), one('signature', { id: 's' })])
    const body = new FormData()
    body.append('q[f]', new File(['hello'], 'a.txt'))
    body.append('q[f]', new File(['hello!'], 'b.txt'))
    body.append('q[s]', new File([], ''))
    expect((await post('', body)).status).toBe(303)
    expect(
      stored(1).answers.map(({ question_id, text }: Record<string, string>) => [question_id, text]),
    ).toEqual([['f', 'a.txt, b.txt']])
  })

  it('[RESP-07] replaces the previous signature with a new one', async () => {
    const { post, upload, stored } = await startForm([one('signature')])
    const { data: before } = (await upload(new File(['old'], 'old.png'), 'x')).body
    const body = new FormData()
    body.append('q[x]', before.id)
    body.append('q[x]', new File(['new'], 'new.png'))
    expect((await post('', body)).status).toBe(303)
    expect(stored(1).answers[0].text).toBe('new.png')
  })

  it('[ERR-03] responds to errors with a 422 page that shows them next to their questions and keeps the input', async () => {
    const { post, server, form } = await startForm(everyQuestion())
    const hostile = '"><script>alert(1)</script>'
    const { status, text } = await post('?ref=a%22b&utm_source=x', [
      ['q[short_text]', hostile],
      ['q[email]', 'nope'],
      ['q[rating]', '4'],
      ['q[dropdown]', 'press'],
      ['q[ranking]', 'food'],
      ['q[grid_multiple][friday]', 'evening'],
      ['q[address][line1]', '1 Main St'],
      ['q[single_choice][other]', 'Tent'],
    ])
    expect(status).toBe(422)
    expect(text).toContain('<title>Error: Dinner</title>')
    expect(text).toContain('Enter an email address, such as name@example.com.')
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
    expect(text).not.toContain('<script>alert')
    expect(text).toContain(
      'name="q[email]" type="email" autocomplete="email" placeholder="name@example.com" value="nope" aria-describedby="question-3-error" aria-invalid="true"',
    )
    expect(text).toContain('name="q[rating]" value="4" checked')
    expect(text).toContain('<option value="press" selected>')
    expect(text).toContain(
      'name="q[ranking][food]" type="text" inputmode="numeric" autocomplete="off" value="1"',
    )
    expect(text).toContain('name="q[grid_multiple][friday]" value="evening" checked')
    expect(text).toContain('value="1 Main St"')
    expect(text).toContain('value="Tent"')
    expect(text).toContain(`action="/f/${form.slug}?ref=a%22b&amp;utm_source=x"`)
    expect(server.app.responses.list(form.id).total).toBe(0)
  })

  it('[RESP-07] shows an error next to the question of a file that is too large, and keeps the other uploads', async () => {
    const { post, stored } = await startForm(
      [one('file', { required: true }), one('email', { id: 'm', required: true })],
      {
        options: { limits: { fileMaxBytes: 1000 } },
      },
    )
    const body = new FormData()
    body.append('q[x]', new File(['hello'], 'small.txt'))
    body.append('q[x]', new File([new Uint8Array(1001)], 'large.txt'))
    const refused = await post('', body)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('The file is too large. The limit is 1000 bytes.')
    const [, id = ''] = /value="(file_[A-Za-z0-9]{24})" checked/.exec(refused.text) ?? []
    const again = await post('', [
      ['q[x]', id],
      ['q[m]', 'ann@example.com'],
    ])
    expect(again.status).toBe(303)
    expect(stored(1).answers[0].text).toBe('small.txt')
  })

  it('[RESP-09] accepts a plausible opening time of the page', async () => {
    const { post, stored, server } = await startForm([one('short_text')])
    await server.clock.advance('1h')
    await post('', [['started_at', '2026-11-21T09:50:00.000Z']])
    await post('', [['started_at', '2020-01-01T00:00:00.000Z']])
    await post('', [['started_at', '2026-11-21T10:00:00.001Z']])
    await post('', [['started_at', 'yesterday']])
    expect([1, 2, 3, 4].map((id) => stored(id).started_at)).toEqual([
      '2026-11-21T09:50:00.000Z',
      '2026-11-21T10:00:00.000Z',
      '2026-11-21T10:00:00.000Z',
      '2026-11-21T10:00:00.000Z',
    ])
    expect(stored(1).duration_sec).toBe(600)
  })

  it('[RESP-05] accepts the email of the respondent in addition to the questions', async () => {
    const { post, stored } = await startForm([one('short_text')])
    await post('', [['email', 'ann@example.com']])
    expect(stored(1).email).toBe('ann@example.com')
    expect((await post('', [['email', 'nope']])).status).toBe(422)
  })

  it('[RESP-09] saves, resumes and submits a draft with form posts only', async () => {
    const { post, call, form, stored } = await startForm([one('yes_no', { required: true })])
    const saved = await post('/drafts', [])
    expect(saved.status).toBe(303)
    // A page has a token, and says what is missing.
    const empty = await post('/drafts', [['submit_token', 'x']])
    expect([empty.status, empty.text.includes('Answer a question before you save.')]).toEqual([422, true])
    const [, token = ''] =
      /\/drafts\/([A-Za-z0-9]{32})\/saved$/.exec(saved.headers.get('location') ?? '') ?? []
    const link = await call('GET', `/drafts/${token}/saved`, { headers: { accept: 'text/html' } })
    expect([
      link.status,
      link.text.includes(`>http://formwire.test/f/${form.slug}/drafts/${token}<`),
    ]).toEqual([200, true])
    expect((await post(`/drafts/${token}`, [['q[x]', 'no']])).status).toBe(303)
    const page = await call('GET', `/drafts/${token}`, { headers: { accept: 'text/html' } })
    expect(page.text).toContain('value="no" checked')
    expect(page.text).toMatch(new RegExp(`action="/f/[A-Za-z0-9]+/drafts/${token}/submit"`))
    const unfinished = await post(`/drafts/${token}/submit`, [['q[x]', '']])
    expect([unfinished.status, unfinished.text.includes(`/drafts/${token}/submit`)]).toEqual([422, true])
    expect((await post(`/drafts/${token}/submit`, [['q[x]', 'no']])).status).toBe(303)
    expect(stored(1)).toMatchObject({ status: 'submitted', answers: [{ text: 'No' }] })
  })

  it('[ERR-01] rejects malformed and oversized bodies with 400', async () => {
    const { post, call } = await startForm([one('short_text')])
    expect((await post('', 'q[x]=%zz')).status).toBe(400)
    expect((await post('', 'q[x]=%ff')).status).toBe(400)
    expect((await post('', `q[x]=${'x'.repeat(1_048_576)}`)).status).toBe(400)
    const large = new FormData()
    large.append('q[x]', 'x'.repeat(1_048_577))
    expect((await post('', large)).status).toBe(400)
    // Files raise the limit of the body, not that of the texts, which is in bytes.
    const withFile = await startForm([one('long_text'), { id: 'f', type: 'file', title: 'F' }])
    const wide = new FormData()
    wide.append('q[x]', 'é'.repeat(600_000))
    expect((await withFile.post('', wide)).status).toBe(400)
    const packed = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' }
    expect((await call('POST', '', { body: 'x', headers: packed })).status).toBe(400)
  })

  it('[ERR-01] accepts texts of up to 1 MiB', async () => {
    const { post } = await startForm([one('long_text')])
    expect((await post('', `q[x]=${'x'.repeat(1_048_576 - 5)}`)).status).toBe(303)
  })
})
