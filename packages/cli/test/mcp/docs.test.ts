import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { docs } from '../../src/mcp/docs/docs.ts'
import { RESULT_MAX_CHARACTERS, toResult } from '../../src/mcp/result.ts'
import { parseArguments } from '../../src/mcp/tool.ts'
import { docs as docsTool } from '../../src/mcp/tools/docs.ts'

const session = { local: {}, context: {} } as never
const run = (tool: typeof docsTool, args: object) =>
  tool.run(session, parseArguments(tool, args), {} as never)

const search = async (
  query: string,
  limit = 3,
): Promise<{ page: string; title: string; excerpt: string }[]> =>
  ((await run(docsTool, { query, limit })) as { results: never[] }).results

const read = async (page: string, cursor?: string): Promise<{ text: string; next_cursor: string | null }> =>
  (await run(docsTool, { page, ...(cursor && { cursor }) })) as never

describe('the tool docs', () => {
  it.each([
    ['my signature does not match', 'docs/how-to/signature-mismatch.md'],
    ['timestamp_too_old', 'docs/how-to/troubleshooting.md#timestamp_too_old'],
    ['rotating a secret', 'docs/how-to/rotate-secret.md'],
    ['seed file', 'docs/how-to/troubleshooting.md#seed_file'],
    ['express adapter', 'packages/webhook-verify/README.md#express'],
    ['DLV-06', 'docs/reference/rules.md#events-and-deliveries'],
    ['retry schedule', 'docs/explanation/webhook-delivery.md#retry-schedule'],
    ['how long are failed deliveries retried', 'docs/explanation/webhook-delivery.md#retry-schedule'],
    ['my receiver gets 401', 'docs/how-to/signature-mismatch.md#the-receiver-responds-with-401'],
    ['handled_url', 'docs/how-to/dedupe.md#check-it'],
    ['dedupe in a file', 'docs/how-to/dedupe.md#a-file-for-one-process'],
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

  it('finds nothing for words that no page has', async () => {
    expect(await search('qqqqxyz')).toEqual([])
    expect(await run(docsTool, { query: 'qqqqxyz' })).toMatchObject({
      hint: expect.stringMatching(/read docs\/index\.md$/),
    })
    expect((await read('docs/index.md')).text).not.toBe('')
  })

  it('reads a section with those below it', async () => {
    const { text } = await read('docs/how-to/test-kit.md#seeds')
    expect(text).toMatch(/^## Seeds\n/)
    expect(text).toContain('### Pulling a seed')
    expect(text).not.toContain('## Resetting and forking state')
  })

  it('reads one rule, and a section by the id of its heading', async () => {
    expect((await read('docs/reference/rules.md#dlv-06')).text).toMatch(
      /^\| <a id="dlv-06"><\/a>DLV-06 \|.*\|$/,
    )
    expect((await read('docs/how-to/troubleshooting.md#start')).text).toMatch(/^## Start here/)
  })

  it.each([
    ['DLV-06', 'docs/reference/rules.md#dlv-06'],
    ['dlv-06', 'docs/reference/rules.md#dlv-06'],
    ['https://code.formwire.example/formwire/blob/main/docs/how-to/rehearse.md', 'docs/how-to/rehearse.md'],
    [
      'https://code.formwire.example/formwire/blob/main/packages/sdk/README.md#typed-answers',
      'packages/sdk/README.md#typed-answers',
    ],
    ['../../packages/sdk/README.md#retries', 'packages/sdk/README.md#retries'],
    ['../../SECURITY.md', 'SECURITY.md'],
    ['rotate-secret.md', 'docs/how-to/rotate-secret.md'],
    ['../../examples/receivers', 'examples/receivers/README.md'],
  ])('reads a page by a link to it or the id of a rule: %s', async (link, page) => {
    const part = await read(link)
    expect(part).toEqual(await read(page))
    expect(part).toMatchObject({ page })
  })

  it('reads the receivers in other languages', async () => {
    expect((await read('examples/receivers/python/receiver.py')).text).toContain('hmac')
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

  it('needs more than one part for the README of the command line', async () => {
    const { next_cursor: cursor } = await read('packages/cli/README.md')
    expect(cursor).toMatch(/^\d+$/)
    await expect(read('packages/cli/README.md', '9999999')).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    await expect(read('packages/cli/README.md', 'x')).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  it('suggests the page or section that may have been meant', async () => {
    await expect(read('docs/how-to/dedup.md')).rejects.toMatchObject({
      code: 'not_found',
      hint: 'did you mean docs/how-to/dedupe.md?',
    })
    await expect(read('docs/how-to/dedup.md#hono')).rejects.toMatchObject({
      code: 'not_found',
      hint: 'did you mean docs/how-to/dedupe.md#hono?',
    })
    await expect(read('docs/how-to/test-kit.md#seed')).rejects.toMatchObject({
      code: 'not_found',
      hint: 'did you mean seeds?',
    })
  })

  it.each([{}, { query: 'x', page: 'SECURITY.md' }])(
    'takes either a query or a page, not %j',
    async (args) => {
      await expect(run(docsTool, args)).rejects.toMatchObject({ code: 'invalid_argument' })
    },
  )

  it('has every section that an explanation refers to', async () => {
    const folder = new URL('../../src/mcp/explain/', import.meta.url)
    const sources = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))
    const named = sources.flatMap((text) =>
      [...text.matchAll(/'((?:docs|packages)\/[^'$]+)'/g)].map(([, path]) => path),
    )
    expect(named.length).toBeGreaterThan(20)
    for (const page of named) expect((await read(page as string)).text).not.toBe('')
  })

  it('leaves out pages that are for contributors only', async () => {
    const paths = (await docs()).bundle.pages.map(({ path }) => path)
    expect(paths).toContain('packages/sdk/README.md')
    expect(paths).toContain('SECURITY.md')
    expect(paths).not.toContain('docs/conformance.md')
    expect(paths).not.toContain('docs/architecture.md')
    expect(paths.filter((path) => path.includes('.vitepress'))).toEqual([])
  })
})
