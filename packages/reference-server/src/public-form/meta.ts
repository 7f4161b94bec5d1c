import type { ResponseMeta } from '@formwire/contract'
import type { RouteCall } from '../http/router.ts'

/** Maximum length of a stored `ref` or utm value and of a parsed user agent, in Unicode code points. */
const TEXT_MAX_LENGTH = 500
const UTM_NAME = /^utm_([a-z0-9][a-z0-9_]{0,39})$/
const UTM_MAX_NAMES = 20

/** Where a visit came from: `ref` and `utm_*` parameters of the page or of the request (RESP-08). */
export interface Attribution {
  readonly ref: string | null
  readonly utm: Record<string, string>
}

/** Reads `ref` and the `utm_*` parameters of a query. */
export function readAttribution(query: ReadonlyMap<string, string>): Attribution {
  const utm: [string, string][] = []
  for (const [name, value] of query) {
    const [, key] = UTM_NAME.exec(name) ?? []
    if (key !== undefined && value !== '' && utm.length < UTM_MAX_NAMES) utm.push([key, cut(value)])
  }
  const ref = query.get('ref')
  return { ref: ref ? cut(ref) : null, utm: Object.fromEntries(utm) }
}

/** Converts it back to a query, for the form and links of a page; empty without parameters. */
export function attributionQuery({ ref, utm }: Attribution): string {
  const parameters = new URLSearchParams(ref === null ? [] : [['ref', ref]])
  for (const [key, value] of Object.entries(utm)) parameters.append(`utm_${key}`, value)
  const query = parameters.toString()
  return query === '' ? '' : `?${query}`
}

/** Device class (`desktop`, `mobile`, `tablet`, …), browser and operating system; `null` if the user agent lacks it. */
type UserAgentInfo = Required<Pick<ResponseMeta, 'device' | 'browser' | 'os'>>

/** What a request reveals about its sender. */
export interface Visit {
  readonly attribution: Attribution
  readonly userAgent: UserAgentInfo
}

export async function readVisit({ request, query }: RouteCall): Promise<Visit> {
  return {
    attribution: readAttribution(query),
    userAgent: await readUserAgent(request.headers.get('user-agent')),
  }
}

/**
 * Returns the meta of a response. `before` is the meta of the draft being saved or submitted; it stays where the visit
 * has no parameters or no known user agent.
 */
export function metaOf({ attribution: { ref, utm }, userAgent }: Visit, before?: ResponseMeta): ResponseMeta {
  const campaign = Object.keys(utm).length > 0 ? utm : (before?.utm ?? {})
  const { device, browser, os } = Object.values(userAgent).some((name) => name !== null)
    ? userAgent
    : { ...userAgent, ...before }
  return { device, browser, os, ref: ref ?? before?.ref ?? null, utm: campaign }
}

async function readUserAgent(userAgent: string | undefined): Promise<UserAgentInfo> {
  if (!userAgent) return { device: null, browser: null, os: null }
  // Loaded on the first submission, so that the server starts without it.
  const { default: bowser } = await import('bowser')
  const { platform, browser, os } = bowser.parse(cut(userAgent))
  return { device: platform.type || null, browser: browser.name || null, os: os.name || null }
}

const cut = (text: string): string =>
  [...text.slice(0, 2 * TEXT_MAX_LENGTH)].slice(0, TEXT_MAX_LENGTH).join('')
