import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commandPages } from '../../scripts/command-reference.ts'
import { COMMANDS } from '../../src/all-commands.ts'
import { docs } from '../../src/mcp/docs/docs.ts'
import { RESULT_MAX_CHARACTERS, toResult } from '../../src/mcp/result.ts'
import { parseArguments } from '../../src/mcp/tool.ts'
import { docs as docsTool } from '../../src/mcp/tools/docs.ts'
import type { Json } from '../support/mcp-in-process.ts'

const run = (args: object): Promise<Json> =>
  docsTool.run({} as never, parseArguments(docsTool, args), {} as never)
const search = async (query: string, limit = 3): Promise<Json[]> => (await run({ query, limit })).results
const read = (page: string, cursor?: string): Promise<Json> => run({ page, ...(cursor && { cursor }) })

describe('the tool docs', () => {
  it.each([
    ['my signature does not match', 'docs/how-to/signature-mismatch.md'],
    ['DLV-06', 'docs/reference/rules.md#events-and-deliveries'],
    ['retry schedule', 'docs/explanation/webhook-delivery.md#retry-schedule'],
    ['receiver in PHP', 'examples/receivers/php/receiver.php'],
  ])('finds for "%s" the section %s', async (query, page) => {
    expect((await search(query)).map((hit) => hit.page)).toContain(page)
  })

  it('shows the page, the heading, and the text around what was searched for', async () => {
    const [hit] = await search('DLV-06', 1)
    expect(hit).toEqual({
      page: 'docs/reference/rules.md#events-and-deliveries',
      title: 'Rules › Events and deliveries',
      excerpt: expect.stringMatching(/^\| DLV-06 \| Six attempts/),
    })
  })

  it('reads a section with those below it', async () => {
    const { text } = await read('docs/how-to/test-kit.md#seeds')
    expect(text).toMatch(/^## Seeds\n/)
    expect(text).toContain('### Pulling a seed')
    expect(text).not.toContain('## Resetting and forking state')
  })

  it.each([
    ['DLV-06', 'docs/reference/rules.md#dlv-06'],
    ['https://code.formwire.example/formwire/blob/main/docs/how-to/rehearse.md', 'docs/how-to/rehearse.md'],
    [
      'https://code.formwire.example/formwire/blob/main/packages/sdk/README.md#typed-answers',
      'packages/sdk/README.md#typed-answers',
    ],
    ['../../packages/sdk/README.md#retries', 'packages/sdk/README.md#retries'],
    [
      'https://formwire.example/reference/commands/forms-and-responses.html#formwire-sync',
      'docs/reference/commands/forms-and-responses.md#formwire-sync',
    ],
    ['../../SECURITY.md', 'SECURITY.md'],
    ['rotate-secret.md', 'docs/how-to/rotate-secret.md'],
    ['../../examples/receivers', 'examples/receivers/README.md'],
  ])('reads a page by a link to it or the id of a rule: %s', async (link, page) => {
    const part = await read(link)
    expect(part).toEqual(await read(page))
    expect(part).toMatchObject({ page })
  })

  it('reads each command', async () => {
    const pages = commandPages()
    for (const { path } of COMMANDS.filter(({ hidden }) => !hidden)) {
      const heading = `## formwire ${path.join(' ')}\n`
      const page = pages.find(({ text }) => text.includes(heading))?.path
      const { text } = await read(`${page}#formwire-${path.join('-')}`)
      expect(text).toContain(heading)
      expect(text).toContain('Exit codes: ')
    }
  })

  it('refuses a cursor that is not its own', async () => {
    const page = 'docs/how-to/troubleshooting.md'
    const { next_cursor } = await read(page)
    const refused = { code: 'invalid_argument', details: { argument: 'cursor' } }
    const near = [`0${next_cursor}`, String(Number(next_cursor) - 1)]
    for (const cursor of ['0', '5', '1.20', '-1', '999999999', 'x', ...near])
      await expect(read(page, cursor), cursor).rejects.toMatchObject(refused)
    await expect(run({ query: 'retry', cursor: next_cursor })).rejects.toMatchObject(refused)
  })

  it('reads every page in parts that fit into a result', async () => {
    const { bundle } = await docs()
    expect(bundle.pages.length).toBeGreaterThan(80)
    for (const { path, sections } of bundle.pages) {
      let text = ''
      let cursor: string | null = null
      do {
        const part = await read(path, cursor ?? undefined)
        const [block] = (toResult(part) as { content: { text: string }[] }).content
        expect(block?.text.length).toBeLessThan(RESULT_MAX_CHARACTERS)
        text += part.text
        cursor = part.next_cursor
      } while (cursor !== null)
      expect(text).toBe(sections.map((section) => section.text).join(''))
    }
  })

  it('suggests the page that may have been meant', async () => {
    const hint = 'did you mean docs/how-to/dedupe.md?'
    await expect(read('docs/how-to/dedup.md')).rejects.toMatchObject({ code: 'not_found', hint })
  })

  it.each([{}, { query: 'x', page: 'SECURITY.md' }])('takes either a query or a page: %j', async (args) => {
    await expect(run(args)).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  it('has every section that an explanation refers to', async () => {
    const folder = new URL('../../src/mcp/explain/', import.meta.url)
    const sources = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))
    const named = sources.flatMap((text) =>
      [...text.matchAll(/'((?:docs|packages)\/[^'$]+)'/g)].map(([, path]) => path),
    )
    expect(named.length).toBeGreaterThan(20)
    for (const page of named) expect((await read(page as string)).text).not.toBe('')
  })
})
