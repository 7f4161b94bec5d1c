import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { SEARCH } from '../../packages/internal/src/docs-search.ts'
import { slugOf } from './markdown.ts'
import type { Page } from './page.ts'

type Search = [query: string, page: string, shown?: number]

/** How many results a reader looks at. */
const SHOWN = 3

const TROUBLESHOOTING = 'how-to/troubleshooting.html'

/** Pages, and searches with `|` between them that must have the page as their first result. */
const FIRST: Readonly<Record<string, string>> = {
  'how-to/signature-mismatch.html': 'signature mismatch | webhook signature',
  'how-to/rotate-secret.html': 'rotate secret',
  'how-to/dedupe.html': 'duplicate deliveries',
  'tutorials/receive-webhooks.html': 'receive webhooks',
  'how-to/test-environments.html': 'fake timers',
  'how-to/test-kit.html': 'test kit',
  'reference/sdk.html': 'cursor',
  'explanation/webhook-delivery.html': 'retry schedule | idempotency | idempotent',
  'how-to/troubleshooting.html': 'rate limit | no_match',
  'reference/console.html': 'console',
}

/** Pages, or places in one, and searches that must find them. */
const SEARCHES: Readonly<Record<string, string>> = {
  'how-to/rotate-secret.html': 'rotating a secret',
  'explanation/webhook-delivery.html': 'retry | missed webhooks',
  'how-to/signature-mismatch.html': 'signature does not match | my signature does not match',
  'reference/sdk.html': 'toArray',
  'reference/sdk.html#pagination-and-cursors': 'pagination',
  'how-to/proxies-and-cas.html': 'corporate proxy | self-signed certificate',
  'how-to/watch-a-sync.html': 'pgbouncer | failover | prometheus | grafana | readyz',
  'how-to/several-processes.html': 'two pollers | several clients',
  'how-to/fleet.html': 'fleet | several workers',
  'how-to/test-environments.html': 'jest commonjs',
  'how-to/dedupe.html': 'dedupe hono | dedupe next | dedupe lambda',
  'reference/webhook-verify.html#cloudflare-workers': 'cloudflare workers',
  'how-to/inbox-on-postgres.html': 'dead letters | queue postgresql',
  'how-to/warehouse.html': 'duckdb | parquet | warehouse',
  'how-to/outbox.html': 'outbox | kafka | sqs',
  'how-to/personal-data.html': 'gdpr | erase personal data',
  'how-to/rehearse.html': 'rehearse | rehearse in ci | rehearse poller',
  'tutorials/rehearse-a-receiver.html': 'rehearse python | acknowledged before it was stored | atomic claim',
  'reference/stability.html': 'upgrading',
  'how-to/troubleshooting.html': 'connection refused',
  'how-to/troubleshooting.html#unreachable-cannot-connect': 'cannot connect to the handler',
  'tutorials/any-language.html': 'pytest | github actions',
  'tutorials/work-in-a-terminal.html': 'export csv',
  'tutorials/keep-a-database.html': 'sqlite database',
  'tutorials/reproduce-a-bug.html': 'production bug',
  'how-to/fixtures-from-production.html': 'copy production data | seed check',
  'explanation/scrubbing.html': 'scrubbing | pseudonyms | anonymize',
  'index.html': 'license',
  'how-to/install.html': 'install',
  'tutorials/any-language.html#docker': 'docker',
  'reference/stability.html#minimum-versions': 'node versions',
  'reference/packages/cli.html#developing-a-webhook-handler': 'ngrok',
  'reference/http-api/responses.html#list-responses': 'since',
  'how-to/troubleshooting.html#npm-responds-with-404': 'npm 404',
  'how-to/agents.html': 'mcp | cursor | coding agent',
  'reference/stability.html#exit-codes': 'exit codes',
  'reference/platforms.html': 'windows',
  'reference/rules.html': 'DLV-06',
  'reference/http-api/responses.html': 'list responses',
  'reference/api/sdk/checkpoint/file.html': 'fileCheckpoint',
}

/** Returns the searches in a built site whose page is not among the first results. `base` is where the site is served. */
export async function lateResults(folder: string, base: string, pages: readonly Page[]): Promise<string[]> {
  const chunks = join(folder, 'assets/chunks')
  const [file, ...others] = readdirSync(chunks).filter((name) => name.startsWith('@localSearchIndex'))
  if (file === undefined || others.length > 0) throw new Error(`${chunks} must have one search index`)
  const { default: json } = await import(pathToFileURL(join(chunks, file)).href)
  const index = MiniSearch.loadJSON<object>(json, {
    fields: ['title', 'titles', 'text'],
    ...SEARCH.options,
    searchOptions: SEARCH.searchOptions,
  })
  return [...searchesOf(FIRST, 1), ...searchesOf(SEARCHES, SHOWN), ...errors(pages)].flatMap(
    ([query, page, shown = SHOWN]) => {
      const found = index.search(query).map(({ id }) =>
        String(id)
          .slice(base.length)
          .replace(/^(?=#|$)/, 'index.html'),
      )
      const place = found.findIndex((id) => id === page || id.startsWith(`${page}#`)) + 1
      if (place > 0 && place <= shown) return []
      const first = found.slice(0, SHOWN).join(', ')
      return [
        `a search for "${query}" finds ${page} ${place > 0 ? `in place ${place}` : 'nowhere'}, after ${first}`,
      ]
    },
  )
}

const searchesOf = (pages: Readonly<Record<string, string>>, shown: number) =>
  Object.entries(pages).flatMap(([page, queries]) =>
    queries.split(' | ').map((query): Search => [query, page, shown]),
  )

/** Returns each error code, and each text of an error without its variable parts, with its section of the page about errors. */
function errors(pages: readonly Page[]): Search[] {
  const { text } = pages.find(({ path }) => path === 'how-to/troubleshooting.md') as Page
  return [...text.matchAll(/^### (`(\w+)`.*)$([\s\S]*?)(?=^##)/gm)].flatMap(
    ([, heading = '', code = '', section = '']) => {
      const place = `${TROUBLESHOOTING}#${slugOf(heading.replace(/<[^>]*>/g, ''))}`
      return [code, ...textsOf(section)].map((query): Search => [query, place])
    },
  )
}

/** Returns the quoted texts of errors, apart from short ones, which other pages have too. */
function textsOf(section: string): string[] {
  return [...section.matchAll(/`([^`\n]+)`/g)]
    .map(([, quoted = '']) => quoted.replace(/\([^)]*\)/g, ' ').trim())
    .filter((quoted) => (quoted.match(/[a-z]{3,}/gi) ?? []).length > 4 && !/^(?:npm|formwire) /.test(quoted))
}
