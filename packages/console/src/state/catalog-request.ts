import type { Catalog, CatalogPart } from '@formwire/contract/control'
import { call } from '../api.ts'

/** A request that is sent at the end of this turn. */
interface Collecting {
  readonly parts: Set<CatalogPart>
  readonly parameters: Record<string, string>
  readonly response: Promise<Catalog>
}

let collecting: Collecting | undefined

/**
 * Returns one part of the catalog. Parts that are asked for in the same turn share one request: a page that opens needs one,
 * however many forms and endpoints there are.
 *
 * @param parameters Further parameters of the request.
 * @throws CallError
 */
export async function catalogPart<Part extends CatalogPart>(
  part: Part,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Exclude<Catalog[Part], undefined>> {
  collecting ??= collect()
  collecting.parts.add(part)
  Object.assign(collecting.parameters, parameters)
  return (await collecting.response)[part] as Exclude<Catalog[Part], undefined>
}

function collect(): Collecting {
  const parts = new Set<CatalogPart>()
  const parameters = {}
  const response = Promise.resolve().then(() => {
    collecting = undefined
    const query = new URLSearchParams({ include: [...parts].join(','), ...parameters })
    return call<Catalog>('GET', `catalog?${query}`)
  })
  return { parts, parameters, response }
}
