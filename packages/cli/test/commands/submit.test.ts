import { everyQuestion } from '@formwire/reference-server/testing'
import { describe, expect, it } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { outcome, runCli } from '../support/run-cli.ts'
import { eachService, SURVEY } from '../support/service.ts'

const service = eachService()

const submit = (args: string[], stdin?: string) =>
  runCli(['responses', 'submit', ...args], { env: service.env, ...(stdin === undefined ? {} : { stdin }) })

describe('formwire responses submit', () => {
  it('submits the answers of --data', async () => {
    const { code, stdout, stderr } = await submit(
      [SURVEY, '--data', '-', '--email', 'ada@example.com'],
      '{"name":"Ada","stars":5}',
    )
    expect([code, stdout, stderr]).toEqual([0, '4\tsubmitted\n', ''])
    expect(JSON.parse(service.server.app.responses.get(SURVEY, 4).json)).toMatchObject({
      email: 'ada@example.com',
      answers: [{ value: 'Ada' }, { value: 5 }],
    })
  })
  it.each([
    [
      'a whole submission, and prints it with --json',
      '--data - --json',
      '{"answers":[{"question_id":"name","value":"Bo"}],"email":"bo@example.com"}',
      '{"id":4,"status":"submitted"}\n',
    ],
    ['fields with --json=FIELDS', '--json=id', '', '{"id":4}\n'],
  ])('accepts %s', async (_what, options, stdin, stdout) => {
    expect(await submit([SURVEY, ...options.split(' ')], stdin)).toEqual(outcome(0, stdout))
  })
  it('prints a sentence on a terminal', async () => {
    expect(await runCli(['responses', 'submit', SURVEY], { env: service.env, terminal: 80 })).toEqual(
      outcome(0, `response 4 of form ${SURVEY}: submitted\n`),
    )
  })
  it('generates answers for every type of question but files', async () => {
    const { id } = service.server.app.forms.create({
      title: 'Everything',
      questions: everyQuestion().map((question) => ({
        ...question,
        required: question.type !== 'file' && question.type !== 'signature',
      })) as never,
    })
    service.server.app.forms.publish(id)
    const { code, stdout, stderr } = await submit([id, '--count', '5', '--json'])
    expect([stderr, code]).toEqual(['', 0])
    expect(stdout.trimEnd().split('\n')).toHaveLength(5)
  })
  it.each(['draft', 'closed', 'archived'])(
    'has one exit code and error code for a form that is %s',
    async (status) => {
      const { forms } = service.server.app
      const { id } = forms.create({ title: 'Form' })
      if (status !== 'draft') forms.publish(id)
      if (status === 'closed') forms.close(id)
      if (status === 'archived') forms.archive(id)
      expect(await submit([id])).toEqual(
        outcome(1, '', `formwire: could not submit a response to form ${id}: its status is ${status}\n`),
      )
      expect(JSON.parse((await submit([id, '--json'])).stderr).error).toMatchObject({
        code: 'form_closed',
        exit_code: 1,
      })
    },
  )
  it('says why a form that is full accepts none', async () => {
    const { forms } = service.server.app
    const questions = [{ id: 'name', type: 'short_text', title: 'Name' }] as const
    const { id: full } = forms.create({ title: 'Full', response_limit: 1, questions: [...questions] })
    forms.publish(full)
    expect((await submit([full])).code).toBe(0)
    const refused = await submit([full])
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toMatch(
      new RegExp(`^formwire: could not submit a response to form ${full}: [A-Z][^()]+\n$`),
    )
  })
  it.each([
    [
      1,
      '{"stars":99}',
      'could not submit a response to form survey000001: "stars": Enter a whole number from 1 to 5\n',
    ],
    [2, '{"starz":4}', 'the form has no question "starz"\n  its questions: name, stars, why\n'],
    [2, 'nonsense', 'stdin is not valid JSON'],
    [2, '[1]', 'stdin must contain a JSON object'],
  ])('exits with %i for the data %s, and stores nothing', async (code, stdin, message) => {
    const before = service.server.app.responses.list(SURVEY).total
    const result = await submit([SURVEY, '--data', '-'], stdin)
    expect(result).toEqual(outcome(code, '', expect.stringContaining(`formwire: ${message}`)))
    expect(service.server.app.responses.list(SURVEY).total).toBe(before)
  })
  it('sends nothing to a server that is not a reference server', async () => {
    const seen: string[] = []
    const form = { id: SURVEY, title: 'x', url: 'http://127.0.0.1/f/survey', status: 'published' }
    const other = await serve((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      const known = request.url?.startsWith('/api/v1/forms/') ?? false
      response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(known ? { data: form } : { error: { code: 'not_found', message: 'Not found.' } }),
      )
    })
    const env = { ...service.env, FORMWIRE_BASE_URL: other }
    const { code, stderr } = await runCli(['responses', 'submit', SURVEY], { env })
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('responses submit requires a reference server'),
    ])
    expect(seen).toEqual([`GET /api/v1/forms/${SURVEY}`, 'GET /_app/health'])
  })
})
