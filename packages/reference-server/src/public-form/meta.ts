import type { ResponseMeta } from '@formwire/contract'
import type { RouteCall } from '../http/route.ts'

/** Longest `ref` or utm value that is kept, and longest user agent that is read, in Unicode code points. */
const TEXT_MAX_LENGTH = 500
const UTM_NAME = /^utm_([a-z0-9][a-z0-9_]{0,39})$/
const UTM_MAX_NAMES = 20

/** Where a visit came from: `?ref=` and `?utm_source=` … of the page or of the request itself (RESP-08). */
export interface Origin {
  readonly ref: string | null
  readonly utm: Record<string, string>
}

/** Reads `ref` and the campaign parameters of a query. */
export function readOrigin(query: ReadonlyMap<string, string>): Origin {
  const utm: [string, string][] = []
  for (const [name, value] of query) {
    const [, key] = UTM_NAME.exec(name) ?? []
    if (key !== undefined && value !== '' && utm.length < UTM_MAX_NAMES) utm.push([key, cut(value)])
  }
  const ref = query.get('ref')
  return { ref: ref ? cut(ref) : null, utm: Object.fromEntries(utm) }
}

/** The same as a query, so that a page's form and its links carry it on; empty without any. */
export function originQuery({ ref, utm }: Origin): string {
  const parameters = new URLSearchParams(ref === null ? [] : [['ref', ref]])
  for (const [key, value] of Object.entries(utm)) parameters.append(`utm_${key}`, value)
  const query = parameters.toString()
  return query === '' ? '' : `?${query}`
}

/** Device class (`desktop`, `mobile`, `tablet`, …), browser and system names; `null` for what the user agent hides. */
interface Machine {
  readonly device: string | null
  readonly browser: string | null
  readonly os: string | null
}

/** What one request tells of its sender. */
export interface Visit {
  readonly origin: Origin
  readonly machine: Machine
}

export async function readVisit({ request, query }: RouteCall): Promise<Visit> {
  return { origin: readOrigin(query), machine: await readMachine(request.headers.get('user-agent')) }
}

/**
 * Meta of a response. `before` is the meta of the draft that is being saved or submitted: its origin stays unless the
 * visit brings a new one, and its machine where the visit hides its own.
 */
export function metaOf({ origin: { ref, utm }, machine }: Visit, before?: ResponseMeta): ResponseMeta {
  const campaign = Object.keys(utm).length > 0 ? utm : (before?.utm ?? {})
  const { device, browser, os } = Object.values(machine).some((name) => name !== null)
    ? machine
    : { ...machine, ...before }
  return { device, browser, os, ref: ref ?? before?.ref ?? null, utm: campaign }
}

async function readMachine(userAgent: string | undefined): Promise<Machine> {
  if (!userAgent) return { device: null, browser: null, os: null }
  // Loaded with the first response: a server that takes none starts without it.
  const { default: bowser } = await import('bowser')
  const { platform, browser, os } = bowser.parse(cut(userAgent))
  return { device: platform.type || null, browser: browser.name || null, os: os.name || null }
}

const cut = (text: string): string => [...text].slice(0, TEXT_MAX_LENGTH).join('')
