import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { SEARCH } from '../../packages/internal/src/docs-search.ts'
import { slugOf } from './markdown.ts'
import type { Page } from './page.ts'

/** How many results a reader looks at. */
const SHOWN = 3

const TROUBLESHOOTING = 'how-to/troubleshooting.html'

/** What readers search for, and the page that must be the first result. */
const FIRST: Readonly<Record<string, string>> = {
  'signature mismatch': 'how-to/signature-mismatch.html',
  'webhook signature': 'how-to/signature-mismatch.html',
  'rotate secret': 'how-to/rotate-secret.html',
  'duplicate deliveries': 'how-to/dedupe.html',
  'receive webhooks': 'tutorials/receive-webhooks.html',
  'fake timers': 'how-to/test-environments.html',
  'test kit': 'how-to/test-kit.html',
  cursor: 'reference/sdk.html',
  'retry schedule': 'explanation/webhook-delivery.html',
  idempotency: 'explanation/webhook-delivery.html',
  idempotent: 'explanation/webhook-delivery.html',
  'rate limit': TROUBLESHOOTING,
  no_match: TROUBLESHOOTING,
  console: 'reference/console.html',
}

/** What readers search for, and the page that they need, or a place in one. */
const SEARCHES: Readonly<Record<string, string>> = {
  'rotating a secret': 'how-to/rotate-secret.html',
  retry: 'explanation/webhook-delivery.html',
  'signature does not match': 'how-to/signature-mismatch.html',
  'my signature does not match': 'how-to/signature-mismatch.html',
  toArray: 'reference/sdk.html',
  pagination: 'reference/sdk.html#pagination-and-cursors',
  'corporate proxy': 'how-to/proxies-and-cas.html',
  'self-signed certificate': 'how-to/proxies-and-cas.html',
  pgbouncer: 'how-to/watch-a-sync.html',
  failover: 'how-to/watch-a-sync.html',
  'two pollers': 'how-to/several-processes.html',
  fleet: 'how-to/fleet.html',
  'several workers': 'how-to/fleet.html',
  'several clients': 'how-to/several-processes.html',
  'jest commonjs': 'how-to/test-environments.html',
  'dedupe hono': 'how-to/dedupe.html',
  'dedupe next': 'how-to/dedupe.html',
  'dedupe lambda': 'how-to/dedupe.html',
  'cloudflare workers': 'reference/webhook-verify.html#cloudflare-workers',
  'missed webhooks': 'explanation/webhook-delivery.html',
  'dead letters': 'how-to/inbox-on-postgres.html',
  'queue postgresql': 'how-to/inbox-on-postgres.html',
  duckdb: 'how-to/warehouse.html',
  parquet: 'how-to/warehouse.html',
  warehouse: 'how-to/warehouse.html',
  outbox: 'how-to/outbox.html',
  kafka: 'how-to/outbox.html',
  sqs: 'how-to/outbox.html',
  gdpr: 'how-to/personal-data.html',
  'erase personal data': 'how-to/personal-data.html',
  rehearse: 'how-to/rehearse.html',
  'rehearse in ci': 'how-to/rehearse.html',
  'rehearse poller': 'how-to/rehearse.html',
  'rehearse python': 'tutorials/rehearse-a-receiver.html',
  'acknowledged before it was stored': 'tutorials/rehearse-a-receiver.html',
  'atomic claim': 'tutorials/rehearse-a-receiver.html',
  upgrading: 'reference/stability.html',
  prometheus: 'how-to/watch-a-sync.html',
  grafana: 'how-to/watch-a-sync.html',
  readyz: 'how-to/watch-a-sync.html',
  'connection refused': TROUBLESHOOTING,
  'cannot connect to the handler': `${TROUBLESHOOTING}#unreachable-cannot-connect`,
  pytest: 'tutorials/any-language.html',
  'github actions': 'tutorials/any-language.html',
  'export csv': 'tutorials/work-in-a-terminal.html',
  'sqlite database': 'tutorials/keep-a-database.html',
  'production bug': 'tutorials/reproduce-a-bug.html',
  'copy production data': 'how-to/fixtures-from-production.html',
  'seed check': 'how-to/fixtures-from-production.html',
  scrubbing: 'explanation/scrubbing.html',
  pseudonyms: 'explanation/scrubbing.html',
  anonymize: 'explanation/scrubbing.html',
  license: 'index.html',
  install: 'how-to/install.html',
  docker: 'tutorials/any-language.html#docker',
  'node versions': 'reference/stability.html#minimum-versions',
  ngrok: 'reference/packages/cli.html#developing-a-webhook-handler',
  since: 'reference/http-api/responses.html#list-responses',
  'npm 404': 'how-to/troubleshooting.html#npm-responds-with-404',
  mcp: 'how-to/agents.html',
  cursor: 'how-to/agents.html',
  'coding agent': 'how-to/agents.html',
  'exit codes': 'reference/stability.html#exit-codes',
  windows: 'reference/platforms.html',
  'DLV-06': 'reference/rules.html',
  'list responses': 'reference/http-api/responses.html',
  fileCheckpoint: 'reference/api/sdk/checkpoint/file.html',
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
  return [...Object.entries(FIRST), ...Object.entries(SEARCHES), ...errors(pages)].flatMap(
    ([query, page]) => {
      const found = index.search(query).map(({ id }) =>
        String(id)
          .slice(base.length)
          .replace(/^(?=#|$)/, 'index.html'),
      )
      const place = found.findIndex((id) => id === page || id.startsWith(`${page}#`)) + 1
      if (place > 0 && place <= (FIRST[query] === page ? 1 : SHOWN)) return []
      const first = found.slice(0, SHOWN).join(', ')
      return [
        `a search for "${query}" finds ${page} ${place > 0 ? `in place ${place}` : 'nowhere'}, after ${first}`,
      ]
    },
  )
}

/** Returns each error code, and each text of an error without its variable parts, with its section of the page about errors. */
function errors(pages: readonly Page[]): [query: string, section: string][] {
  const { text } = pages.find(({ path }) => path === 'how-to/troubleshooting.md') as Page
  return [...text.matchAll(/^### (`(\w+)`.*)$([\s\S]*?)(?=^##)/gm)].flatMap(
    ([, heading = '', code = '', section = '']) => {
      const place = `${TROUBLESHOOTING}#${slugOf(heading.replace(/<[^>]*>/g, ''))}`
      return [code, ...textsOf(section)].map((query): [string, string] => [query, place])
    },
  )
}

/** Returns the quoted texts of errors, apart from short ones, which other pages have too. */
function textsOf(section: string): string[] {
  return [...section.matchAll(/`([^`\n]+)`/g)]
    .map(([, quoted = '']) => quoted.replace(/\([^)]*\)/g, ' ').trim())
    .filter((quoted) => (quoted.match(/[a-z]{3,}/gi) ?? []).length > 4 && !/^(?:npm|formwire) /.test(quoted))
}
