import { createMockReceiver } from '@formwire/reference-server'
import { everyQuestion } from '@formwire/reference-server/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { serve } from '../../../../test/support/serve.ts'
import { outcome, runCli } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, testService } from '../support/service.ts'

let service: Service
beforeEach(async () => {
  service = await testService()
})

const submit = (args: string[], stdin?: string) =>
  runCli(['responses', 'submit', ...args], { env: service.env, ...(stdin === undefined ? {} : { stdin }) })

describe('formwire responses submit', () => {
  it('submits the answers of --data and sends webhooks', async () => {
    const receiver = await createMockReceiver().listen()
    await service.server.app.webhooks.create(SURVEY, { url: receiver.url })
    const { code, stdout, stderr } = await submit(
      [SURVEY, '--data', '-', '--email', 'ada@example.com'],
      '{"name":"Ada","stars":5}',
    )
    expect([code, stdout, stderr]).toEqual([0, '4\tsubmitted\n', ''])
    await receiver.waitFor(1, PATIENT)
    expect(receiver.deliveries[0]?.payload).toMatchObject({
      event: 'response.submitted',
      response: {
        id: 4,
        answers: [
          { question_id: 'name', value: 'Ada' },
          { question_id: 'stars', value: 5 },
        ],
      },
    })
    await receiver.close()
  })
  it('accepts a whole submission, and prints it with --json', async () => {
    const { code, stdout } = await submit(
      [SURVEY, '--data', '-', '--json'],
      '{"answers":[{"question_id":"name","value":"Bo"}],"email":"bo@example.com"}',
    )
    expect([code, JSON.parse(stdout)]).toEqual([0, { id: 4, status: 'submitted' }])
  })
  it('prints a sentence on a terminal, and fields with --json=FIELDS', async () => {
    const terminal = { env: service.env, terminal: 80 }
    expect(await runCli(['responses', 'submit', SURVEY], terminal)).toEqual(
      outcome(0, `response 4 of form ${SURVEY}: submitted\n`),
    )
    expect((await submit([SURVEY, '--json=id'])).stdout).toBe('{"id":5}\n')
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
  it('exits with 1 for a closed form and for an invalid answer', async () => {
    expect(await submit([PARTY, '--data', '-'], '{}')).toEqual(
      outcome(1, '', `formwire: could not submit a response to form ${PARTY}: its status is closed\n`),
    )
    const invalid = await submit([SURVEY, '--data', '-'], '{"stars":99}')
    expect(invalid).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('stars') })
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
  it('exits with 2 for an answer to a question that the form does not have, and sends nothing', async () => {
    const before = service.server.app.responses.list(SURVEY).total
    const { code, stdout, stderr } = await submit([SURVEY, '--data', '-'], '{"starz":4}')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/the form has no question "starz"\n +its questions: .*\bstars\b/)
    expect(service.server.app.responses.list(SURVEY).total).toBe(before)
  })
  it.each([
    ['nonsense', 'formwire: stdin is not valid JSON'],
    ['[1]', 'stdin must contain a JSON object'],
  ])('--data - with %j exits with 2', async (stdin, message) => {
    const { code, stderr } = await submit([SURVEY, '--data', '-'], stdin)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
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
