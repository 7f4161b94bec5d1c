import type { Catalog, CatalogPart, FormEndpoint, JournalEntry } from '@formwire/contract/control'
import { computed } from '@preact/signals'
import { call, list } from '../api.ts'
import { withoutScheme } from '../format.ts'
import { type Resource, resource } from './resource.ts'

/** The request that is sent at the end of this turn. */
let collecting: ReturnType<typeof collect> | undefined

/**
 * Returns one part of the catalog. Parts that are asked for in the same turn share one request: a page that opens needs one,
 * however many forms and endpoints there are.
 *
 * @throws CallError
 */
export async function catalogPart<Part extends CatalogPart>(
  part: Part,
): Promise<Exclude<Catalog[Part], undefined>> {
  collecting ??= collect()
  collecting.parts.add(part)
  return (await collecting.response)[part] as Exclude<Catalog[Part], undefined>
}

function collect() {
  const parts = new Set<CatalogPart>()
  const response = Promise.resolve().then(() => {
    collecting = undefined
    const query = new URLSearchParams({ include: [...parts].join(',') })
    return call<Catalog>('GET', `catalog?${query}`)
  })
  return { parts, response }
}

/** A webhook endpoint, with the form that it belongs to. */
export type Endpoint = FormEndpoint

export const forms = resource(() => catalogPart('forms'))
export const workspaces = resource(() => catalogPart('workspaces'))
export const users = resource(() => catalogPart('users'))
export const keys = resource(() => catalogPart('keys'))
/** The endpoints of every form, newest first. */
export const endpoints = resource(() => catalogPart('endpoints'))
/** The faults that apply to requests now. */
export const faults = resource(() => catalogPart('faults'))
/** The built-in receiver; `null` if it is not running. */
export const builtInReceiver = resource(() => catalogPart('receiver'))

/** Where the data was pulled from; `null` if it was not. */
export const source = resource(() => catalogPart('source'))

/** The forms that are not in the trash. */
export const liveForms = computed(() => (forms.data.value ?? []).filter(({ trashed }) => !trashed))
export const formById = byId(forms)
export const endpointById = byId(endpoints)
export const workspaceById = byId(workspaces)
export const userById = byId(users)

function byId<Item extends { readonly id: Id }, Id = Item['id']>(list: Resource<readonly Item[]>) {
  return computed(() => new Map((list.data.value ?? []).map((item) => [item.id, item] as const)))
}

/** Returns the URL of an endpoint without its scheme, or its id if the endpoint is not loaded. */
export function endpointText(id: number): string {
  const endpoint = endpointById.value.get(id)
  return endpoint ? withoutScheme(endpoint.url) : `#${id}`
}

/** The parts that are loaded once and whenever the state of the server is replaced. */
export const catalog = [forms, workspaces, users, keys, endpoints, faults, builtInReceiver, source]

/** The journal: the latest API requests, newest first. */
export const requests = resource(async () => (await list<JournalEntry>('requests')).data)
