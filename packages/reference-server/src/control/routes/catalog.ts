import type { Catalog, CatalogPart } from '@formwire/contract/control'
import type { App } from '../../app.ts'
import { invalid } from '../../domain/service-error.ts'
import { jsonText } from '../../http/json-response.ts'
import type { Route } from '../../http/router.ts'
import { quote } from '../../known-names.ts'
import { nextTurn } from '../../real-timers.ts'
import { type ControlParts, queryRoute } from './shared.ts'
import { clockState } from './testing.ts'

/** Most deliveries in one catalog. With many endpoints, each has a shorter log. */
const DELIVERIES_MAX = 10_000
const LOG_MAX = 50

type Readers = {
  readonly [Part in Exclude<CatalogPart, 'deliveries'>]: () => NonNullable<Catalog[Part]> | null
}

/** `GET /_app/catalog`: several lists in one response, so that a page with all of them needs one request. */
export function catalogRoutes({ app, context, receivers, builtIn }: ControlParts): Route[] {
  const readers: Readers = {
    clock: () => clockState(context),
    workspaces: () => app.workspaces.list(),
    users: () => app.users.list(),
    keys: () => app.keys.list(),
    forms: () => app.forms.list(),
    endpoints: () => app.webhooks.all(),
    faults: () => app.faults.list(),
    receiver: () => builtIn.running(),
    receivers: () => receivers.states(),
    source: () => context.state.source,
  }
  const names = [...Object.keys(readers), 'deliveries'] as CatalogPart[]
  return [
    queryRoute('/_app/catalog', ['include'], ({ query }) => {
      const parts = readParts(query.get('include'), names)
      return { ...jsonText(200, ''), body: chunks(parts, readers, app) }
    }),
  ]
}

function readParts(text: string | undefined, names: readonly CatalogPart[]): ReadonlySet<CatalogPart> {
  const parts = (text ?? '').split(',')
  const unknown = parts.find((part) => !names.includes(part as CatalogPart))
  if (unknown === undefined) return new Set(parts as CatalogPart[])
  throw invalid(
    'include',
    `include must be some of ${names.join(', ')}, separated by commas, got ${quote(unknown)}.`,
  )
}

/** Streamed in parts, with a turn for other requests after each: thousands of deliveries are megabytes of JSON. */
async function* chunks(
  parts: ReadonlySet<CatalogPart>,
  readers: Readers,
  app: App,
): AsyncGenerator<Uint8Array> {
  let before = '{"data":{'
  for (const part of parts) {
    if (part === 'deliveries') {
      yield Buffer.from(`${before}"deliveries":[`)
      yield* deliveries(app)
      yield Buffer.from(']')
    } else yield Buffer.from(`${before}"${part}":${JSON.stringify(readers[part]())}`)
    before = ','
    await nextTurn()
  }
  yield Buffer.from('}}')
}

async function* deliveries(app: App): AsyncGenerator<Uint8Array> {
  const endpoints = Math.max(1, app.webhooks.all().length)
  const count = Math.max(1, Math.min(LOG_MAX, Math.floor(DELIVERIES_MAX / endpoints)))
  let before = ''
  for (const log of app.deliveries.logs(count)) {
    yield Buffer.from(before + log.map((delivery) => JSON.stringify(delivery)).join(','))
    before = ','
    await nextTurn()
  }
}
