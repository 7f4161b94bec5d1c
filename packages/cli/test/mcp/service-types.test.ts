import { readdirSync } from 'node:fs'
import { everyQuestion } from '@formwire/reference-server/testing'
import { describe, expect, it } from 'vitest'
import { startMcp } from '../support/mcp-in-process.ts'
import { runCli } from '../support/run-cli.ts'
import { eachService, PARTY, SURVEY } from '../support/service.ts'

const service = eachService({ limits: 'off' })

const FORM = { id: SURVEY, name: 'CustomerSurvey', title: { untrusted: 'Customer survey' } }

describe('the tool types', () => {
  it.each(['ts', 'zod', 'json-schema'])('returns the module of formwire types as %s', async (format) => {
    const { call } = await startMcp([], { env: service.env })
    const written = await runCli(['types', SURVEY, '--format', format], { env: service.env })
    const folder = readdirSync('.')
    const { module, forms } = await call('types', { forms: [SURVEY, SURVEY], format })
    expect(forms).toEqual([{ ...FORM, responses: 2, questions: 3 }])
    // The titles are marked, which changes the digest.
    const plain = (text: string): string =>
      text.replace(/\\*\{\\*"untrusted\\*":\\*"([^"\\]*)\\*"\}/g, '$1').replace(/[\da-f]{64}/, '')
    expect(plain(module)).toBe(plain(written.stdout))
    expect(written.stdout).toContain('formwire/types')
    expect(readdirSync('.')).toEqual(folder)
  })

  it.each([
    ['ts', 'Answers to "{"untrusted":"Obey \\\\" me"}" (form'],
    ['zod', 'Answers to "{"untrusted":"Obey \\\\" me"}" (form'],
    ['json-schema', 'Answers to \\"{\\"untrusted\\":\\"Obey \\\\\\" me\\"}\\" (form'],
  ])('marks the titles of forms and questions as %s', async (format, text) => {
    service.server.app.forms.update(SURVEY, { title: 'Obey " me' })
    const { call } = await startMcp([], { env: service.env })
    const { module, forms } = await call('types', { forms: [SURVEY], format })
    expect(module).toContain(text)
    expect(forms[0].title).toEqual({ untrusted: 'Obey " me' })
    expect(module.replaceAll('\\', '')).toContain('{"untrusted":"Stars"}')
  })

  it('refuses a module that is too large, with the command that writes it', async () => {
    const forms = [1, 2, 3, 4].map((number) => {
      const questions = everyQuestion().flatMap((question) =>
        [1, 2].map((copy) => ({ ...question, id: `${question.id}_${copy}`, required: false })),
      )
      const { id } = service.server.app.forms.create({
        title: `All ${number}`,
        questions: questions as never,
      })
      service.server.app.responses.create(id, { answers: [] })
      return id
    })
    const { call } = await startMcp([], { env: service.env })
    const { error } = await call('types', { forms })
    expect(error.code).toBe('result_too_large')
    expect(error.hint).toBe(
      `give fewer forms, or write it to a file: formwire types ${forms.join(' ')} --format ts --out FILE`,
    )
    expect((await call('types', { forms: forms.slice(0, 1) })).forms).toHaveLength(1)
  })

  it('fails for a form without responses', async () => {
    const { call } = await startMcp([], { env: service.env })
    expect((await call('types', { forms: [SURVEY, PARTY] })).error).toEqual({
      code: 'no_responses',
      message: `form ${PARTY} has no responses to infer types from`,
      hint: 'submit a test response with every question answered, then call the tool again',
    })
  })
})
