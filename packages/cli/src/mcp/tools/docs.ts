import * as z from 'zod'
import { docs as documentation } from '../docs/docs.ts'
import { invalidArgument } from '../failures.ts'
import { defineTool } from '../tool.ts'

export const docs = defineTool({
  name: 'docs',
  group: 'docs',
  description:
    'Search the documentation offline (guides, package READMEs, rules such as DLV-06, error codes) with query, or read a page or section of a result with page.',
  input: z.strictObject({
    query: z.string().min(1).max(300).optional(),
    page: z.string().min(1).max(300).optional().describe('such as docs/how-to/dedupe.md#hono, or DLV-06'),
    limit: z.int().min(1).max(20).default(6),
    cursor: z.string().max(20).optional().describe('of a page'),
  }),
  async run(_session, { query, page, limit, cursor }) {
    if ((query === undefined) === (page === undefined))
      throw invalidArgument('query', 'give either query or page')
    if (query !== undefined && cursor !== undefined)
      throw invalidArgument('cursor', 'only page takes it: a search has one page of results')
    const all = await documentation()
    if (page !== undefined) return all.read(page, cursor)
    const results = all.search(query as string, limit)
    return results.length > 0
      ? { results }
      : { results, hint: 'no page has these words: search for fewer or others, or read docs/index.md' }
  },
})
