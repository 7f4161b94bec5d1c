import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { describe, expect, inject, it } from 'vitest'
import { connectMcp } from '../support/mcp.ts'

const SKILLS = ['read-formwire-responses', 'receive-formwire-webhooks', 'test-formwire-integration']

const skillText = (name: string): string =>
  readFileSync(new URL(`../../../../skills/${name}/SKILL.md`, import.meta.url), 'utf8')

/** Both generations of the protocol. */
const MODES = [['2025', 'legacy'] as const, ['2026', { pin: '2026-07-28' }] as const]

describe.each(MODES)('the resources of formwire mcp, in the protocol of %s', (_year, mode) => {
  const connect = () => connectMcp([], {}, { versionNegotiation: { mode } })

  const reader = async () => {
    const { client } = await connect()
    return async (uri: string): Promise<string> => {
      const { contents } = await client.readResource({ uri })
      return (contents[0] as { text: string }).text
    }
  }

  it('lists what can be read', async () => {
    const { client } = await connect()
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri).sort()).toEqual([
      'formwire://control.openapi',
      'formwire://control.openapi.json',
      'formwire://errors',
      'formwire://openapi',
      'formwire://openapi.json',
      'formwire://rules',
      ...SKILLS.map((name) => `skill://${name}/SKILL.md`),
    ])
    const { resourceTemplates } = await client.listResourceTemplates()
    const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate)
    expect(templates).toEqual(
      expect.arrayContaining([
        'formwire://openapi/{key}',
        'formwire://control.openapi/{key}',
        'formwire://rules/{key}',
        'formwire://errors/{key}',
        'skill://{+path}',
      ]),
    )
  })

  it('reads all rules, and one by its id', async () => {
    const read = await reader()
    const rule = '- **DLV-06** Six attempts, after 1 min, 5 min, 30 min, 2 h, 12 h; the delivery id stays.\n'
    expect(await read('formwire://rules/DLV-06')).toBe(rule)
    expect(await read('formwire://rules/dlv-06')).toBe(rule)
    expect(await read('formwire://rules')).toContain(rule)
    await expect(read('formwire://rules/DLV-99')).rejects.toThrow(/not found/i)
  })

  it('reads all error codes, and one with its sections', async () => {
    const read = await reader()
    expect(await read('formwire://errors')).toContain(
      '- **no_match** The signature does not match any configured secret.',
    )
    expect(await read('formwire://errors')).toMatch(/^- \*\*UsageError\*\*/)
    expect(await read('formwire://errors/timeout')).toContain('The tool `wait`')
    expect(await read('formwire://errors/ERESOLVE')).toContain('npm error')
    const limited = await read('formwire://errors/rate_limited')
    expect(limited).toContain('### `RateLimitError`, 429 `rate_limited`')
    expect(limited).toContain('### `rate_limited`')
    await expect(read('formwire://errors/unheard_of')).rejects.toThrow(/not found/i)
  })

  it('reads the OpenAPI document', async () => {
    const read = await reader()
    expect(JSON.parse(await read('formwire://openapi.json'))).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      paths: { '/forms': {} },
    })
  })

  it.each([
    ['openapi', 'updateForm', 'PATCH /forms/{id}: Close, reopen or rename a form'],
    ['control.openapi', 'wait', 'POST /wait: Wait for a request, a delivery or a response'],
  ])('reads %s by its operations, and says how long the whole is', async (name, id, title) => {
    const { client } = await connect()
    const read = async (uri: string): Promise<string> =>
      ((await client.readResource({ uri })).contents[0] as { text: string }).text
    expect(await read(`formwire://${name}`)).toContain(`- **${id}** ${title}\n`)
    expect(await read(`formwire://${name}/${id}`)).toContain(`"operationId":"${id}"`)
    await expect(read(`formwire://${name}/none`)).rejects.toThrow(/not found/i)
    const { resources } = await client.listResources()
    const { length } = await read(`formwire://${name}.json`)
    const size = `${(Math.round(length / 10_000) * 10_000).toLocaleString('en')} characters`
    expect(resources.find((one) => one.uri === `formwire://${name}.json`)?.description).toContain(size)
  })

  it('reads the OpenAPI document of the control API', async () => {
    const read = await reader()
    expect(JSON.parse(await read('formwire://control.openapi.json'))).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      paths: { '/clock': {} },
    })
  })

  it.each(SKILLS)('reads the skill %s', async (name) => {
    const read = await reader()
    expect(await read(`skill://${name}/SKILL.md`)).toBe(skillText(name))
    await expect(read(`skill://${name}/../../package.json`)).rejects.toThrow()
  })

  it('completes the id of a rule', async () => {
    const { client } = await connect()
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'formwire://rules/{key}' },
      argument: { name: 'key', value: 'dlv-1' },
    })
    expect(completion.values).toEqual(['DLV-10', 'DLV-11', 'DLV-12', 'DLV-13'])
  })
})

describe('the skills of formwire mcp', () => {
  it('are a catalog for clients that know the extension', async () => {
    const { client } = await connectMcp([], {}, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const { skills } = await new SkillsClient(client).list()
    expect(skills.map(({ frontmatter }) => frontmatter.name).sort()).toEqual(SKILLS)
  })
})

describe('the built program', () => {
  it.each(SKILLS)('has the skill %s as a file, too', (name) => {
    const path = join(dirname(inject('programs').cli), 'skills', name, 'SKILL.md')
    expect(readFileSync(path, 'utf8')).toBe(skillText(name))
  })
})

describe('the tool docs of the built program', () => {
  it('searches and reads what is in the package', async () => {
    const { call } = await connectMcp(['--no-local'])
    const { value } = await call('docs', { query: 'timestamp_too_old', limit: 1 })
    expect(value.results).toMatchObject([{ page: 'docs/how-to/troubleshooting.md#timestamp_too_old' }])
    const section = await call('docs', { page: value.results[0].page })
    expect(section.value.text).toMatch(/^### `timestamp_too_old`\n/)
    expect((await call('docs', { page: 'nope.md' })).value.error.code).toBe('not_found')
    // It is no secret of anything.
    const tutorial = await call('docs', { page: 'docs/tutorials/receive-webhooks.md#try-it' })
    expect(tutorial.value.text).toContain('FORMWIRE_WEBHOOK_SECRET=whsec_for_this_tutorial')
  })
})
