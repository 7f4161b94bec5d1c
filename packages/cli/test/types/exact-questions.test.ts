import { everyQuestion } from '@formwire/reference-server/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { runCli } from '../support/run-cli.ts'
import { type Service, SURVEY, testService } from '../support/service.ts'

const choice = (ids: string[], other: string | null = null) => ({ ids, other })
const file = { name: 'a.pdf', size: 3 }
const address = { line1: 'a', line2: '', city: 'b', region: '', postal: '1', country: 'c' }

/** Two values of each of the 22 types, which together use every option, row and column. */
const VALUES: Readonly<Record<string, readonly [unknown, unknown]>> = {
  short_text: ['Ada', 'Bo'],
  long_text: ['x', 'y'],
  email: ['ada@example.com', 'bo@example.com'],
  url: ['https://x.example/', 'https://y.example/'],
  phone: ['+1 555 123 4567', '+1 555 123 4568'],
  date: ['2026-01-02', '2026-01-03'],
  time: ['10:00', '11:00'],
  number: [1, 2],
  scale: [1, 2],
  rating: [1, 2],
  nps: [1, 2],
  slider: [17, 18],
  single_choice: [choice(['twin']), choice([], 'A tent')],
  multiple_choice: [choice(['hike', 'sauna']), choice(['dinner', 'morning_yoga'])],
  dropdown: [choice(['search']), choice(['friend'])],
  yes_no: [choice(['yes']), choice(['no'])],
  ranking: [choice(['quiet', 'food', 'location']), choice(['food', 'quiet', 'location'])],
  grid_single: [
    { service: 'poor', cleanliness: 'fair', food: 'good' },
    { service: 'poor', cleanliness: 'fair' },
  ],
  grid_multiple: [{ friday: ['morning', 'afternoon'], saturday: ['evening'] }, { saturday: ['morning'] }],
  file: [[file], [file, file]],
  signature: [[file], [file]],
  address: [address, address],
}
/** More options than two respondents can choose. */
const MORE: readonly (readonly [string, unknown])[] = [
  ['single_choice', choice(['double'])],
  ['single_choice', choice(['family'])],
  ['dropdown', choice(['newsletter'])],
  ['dropdown', choice(['press'])],
  ['grid_single', { food: 'good' }],
  ['grid_multiple', { friday: ['morning'] }],
]
const REQUIRED = ['short_text', 'email']

let service: Service
beforeEach(async () => {
  service = await testService({ limits: 'off' })
})

function respond(formId: string, answers: Readonly<Record<string, unknown>>): void {
  service.server.app.responses.create(formId, {
    answers: Object.entries(answers).map(([question_id, value]) => ({ question_id, value: withIds(value) })),
  })
}

/** Uploads have ids of their own. */
let uploads = 0
const withIds = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((item) => {
        uploads += 1
        return { ...item, id: `file_${uploads}` }
      })
    : value

/** Returns the interface, as inferred from responses and with the questions of the server. */
async function bothWays(formId: string): Promise<[inferred: string, exact: string]> {
  const texts = []
  for (const token of ['', service.env.FORMWIRE_ADMIN_TOKEN]) {
    const { code, stdout, stderr } = await runCli(['types', formId], {
      env: { ...service.env, FORMWIRE_ADMIN_TOKEN: token },
    })
    expect([code, stderr]).toEqual([0, ''])
    const source =
      token === ''
        ? / Inferred from \d+ responses?\./
        : / Inferred from \d+ responses? and the questions of the reference server\./
    expect(stdout).toMatch(source)
    texts.push(stdout.replace(source, '').replace(/"digest":"\w+"/, ''))
  }
  return texts as [string, string]
}

describe('types with FORMWIRE_ADMIN_TOKEN', () => {
  it.each(['default', 'variant'] as const)(
    'are those inferred from responses, for all 22 question types with %s names',
    async (questionTypeNames) => {
      await service.server.close()
      service = await testService({ limits: 'off', unspecified: { questionTypeNames } })
      const questions = everyQuestion()
      expect(questions).toHaveLength(22)
      const { id } = service.server.app.forms.create({ title: 'Everything', questions: questions as never })
      const required = { short_text: 'Ada', email: 'ada@example.com' }
      for (const at of [0, 1]) {
        respond(id, Object.fromEntries(Object.entries(VALUES).map(([type, values]) => [type, values[at]])))
      }
      for (const [type, value] of MORE) respond(id, { ...required, [type]: value })
      const [inferred, exact] = await bothWays(id)
      expect(exact).toBe(inferred)
      expect(inferred.match(/^ {2}\w+: Typed/gm)).toHaveLength(REQUIRED.length)
      expect(inferred.match(/^ {2}\w+\?: Typed/gm)).toHaveLength(22 - REQUIRED.length)
    },
  )

  it('are those inferred, with hidden questions and "other"', async () => {
    const { id } = service.server.app.forms.create({
      title: 'Hidden',
      questions: [
        { id: 'ill', type: 'yes_no', title: 'Ill?', required: true },
        {
          id: 'what',
          type: 'single_choice',
          title: 'What?',
          required: true,
          options: [{ id: 'flu', label: 'Flu' }],
          allow_other: true,
          show_if: { question_id: 'ill', equals: 'yes' },
        },
      ],
    })
    respond(id, { ill: choice(['yes']), what: choice([], 'Tired') })
    respond(id, { ill: choice(['yes']), what: choice(['flu']) })
    respond(id, { ill: choice(['no']) })
    const [inferred, exact] = await bothWays(id)
    expect(exact).toBe(inferred)
    expect(exact).toContain("  ill: TypedAnswer<'yes_no', Choice<'no' | 'yes'>>\n")
    expect(exact).toContain("  what?: TypedAnswer<'single_choice', Choice<'flu'>>\n")
  })

  it('are those inferred, for a form that was edited half-way', async () => {
    const { app } = service.server
    const { id } = app.forms.create({
      title: 'Edited',
      questions: [
        { id: 'old', type: 'short_text', title: 'Old', required: true },
        { id: 'kept', type: 'short_text', title: 'Kept', required: true },
        { id: 'number', type: 'short_text', title: 'Number' },
      ],
    })
    respond(id, { old: 'a', kept: 'b', number: '12' })
    app.forms.update(id, {
      questions: [
        { id: 'kept', type: 'short_text', title: 'Kept, renamed', required: true },
        { id: 'number', type: 'number', title: 'Number' },
        { id: 'added', type: 'yes_no', title: 'Added', required: true },
      ],
    })
    app.forms.publish(id)
    respond(id, { kept: 'b', number: 12, added: choice(['no']) })
    respond(id, { kept: 'c', added: choice(['yes']) })
    const [inferred, exact] = await bothWays(id)
    expect(exact).toBe(inferred)
    expect(exact).toContain(`export interface Edited {
  /** "Old" (short_text) */
  old?: TypedAnswer<'short_text', string>
  /** "Kept, renamed" (short_text) */
  kept: TypedAnswer<'short_text', string>
  /** "Number" (number, short_text) */
  number?: TypedAnswer<'number', number> | TypedAnswer<'short_text', string>
  /** "Added" (yes_no) */
  added?: TypedAnswer<'yes_no', Choice<'no' | 'yes'>>
}`)
  })

  it('add questions and options that no response has, and questions that may be skipped', async () => {
    const { id } = service.server.app.forms.create({
      title: 'Rare',
      questions: [
        {
          id: 'a',
          type: 'dropdown',
          title: 'A',
          options: [
            { id: 'x', label: 'X' },
            { id: 'y', label: 'Y' },
          ],
        },
        { id: 'b', type: 'rating', title: 'B' },
      ],
    })
    respond(id, { a: choice(['x']) })
    const [inferred, exact] = await bothWays(id)
    expect(inferred).toContain("  a: TypedAnswer<'dropdown', Choice<'x'>>\n")
    expect(exact).toContain("  a?: TypedAnswer<'dropdown', Choice<'x' | 'y'>>\n")
    expect(exact).toContain("  b?: TypedAnswer<'rating', number>\n")
  })

  it('exits with 4 for a wrong token', async () => {
    const env = { ...service.env, FORMWIRE_ADMIN_TOKEN: 'wrong' }
    expect(await runCli(['types', SURVEY], { env })).toMatchObject({ code: 4, stdout: '' })
  })

  it.each([
    ['a proxy responds instead of the control API', 'Not Found'],
    ['a service has no control API', '{"error":{"code":"not_found","message":"No."}}'],
  ])('infers them where %s', async (_where, body) => {
    const withoutControl = await serve(async ({ url = '/', headers }, response) => {
      if (url.startsWith('/_app'))
        return response.writeHead(404, { 'content-type': 'application/json' }).end(body)
      const { authorization = '' } = headers
      const given = await service.server.fetch(`${service.url}${url}`, { headers: { authorization } })
      return response.writeHead(200, { 'content-type': 'application/json' }).end(await given.text())
    })
    const env = { ...service.env, FORMWIRE_BASE_URL: withoutControl }
    const { code, stdout, stderr } = await runCli(['types', SURVEY], { env })
    expect([code, stderr]).toEqual([
      0,
      'the server has no control API: the questions are inferred from responses only\n',
    ])
    expect(stdout).toContain('Inferred from 2 responses.\n')
  })
})
