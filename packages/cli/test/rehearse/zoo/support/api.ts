import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two polls. */
export const INTERVAL_MS = 50

const { FORMWIRE_BASE_URL, FORMWIRE_API_KEY, FORMWIRE_FORM_ID } = process.env

/** What a program needs of a response. */
export interface Row {
  id: number
  submitted_at: string
}
export interface Page {
  data: Row[]
  meta: { total: number }
}
export type Query = Record<string, string | number | undefined>

/** Requests a page of responses once. */
export function request(query: Query): Promise<Response> {
  const url = new URL(`/api/v1/forms/${FORMWIRE_FORM_ID}/responses`, FORMWIRE_BASE_URL)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value))
  return fetch(url, { headers: { authorization: `Bearer ${FORMWIRE_API_KEY}` } })
}

/** Reads a page of responses, and tries again until it has it. */
export async function readPage(query: Query): Promise<Page> {
  for (;;) {
    let seconds = 0.1
    try {
      const response = await request(query)
      if (response.ok) return (await response.json()) as Page
      seconds = Number(response.headers.get('retry-after') ?? seconds)
    } catch {
      // The connection was lost.
    }
    await sleep(seconds * 1000)
  }
}

/**
 * Reads all pages of responses, again when rows were added or deleted meanwhile.
 *
 * @param read Reads a page.
 */
export async function readAll(query: Query, read = readPage): Promise<Row[]> {
  for (;;) {
    const byId = new Map<number, Row>()
    const totals = new Set<number>()
    for (let page = 1; ; page += 1) {
      const { data, meta } = await read({ ...query, page, per_page: 100 })
      for (const response of data) byId.set(response.id, response)
      totals.add(meta.total)
      if (data.length < 100) break
    }
    if (totals.size === 1) return [...byId.values()].reverse()
  }
}
