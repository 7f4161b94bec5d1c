import { LIMITS } from '@formwire/contract'
import { notFound } from '../../domain/service-error.ts'
import { type JsonObject, readJsonObject } from '../../http/body.ts'
import { item, jsonText } from '../../http/json-response.ts'
import type { OutgoingMessage } from '../../http/message.ts'
import { readId } from '../../http/parameters.ts'
import type { Route, RouteCall } from '../../http/route.ts'

/** Creates a route that returns one object. */
export const one = (
  method: Route['method'],
  pattern: string,
  run: (call: RouteCall) => unknown,
  status = 200,
): Route => ({ method, pattern, run: async (call) => item(await run(call), status) })

/** Creates a route that returns a whole list as one page. */
export const list = (pattern: string, run: (call: RouteCall) => readonly unknown[]): Route => ({
  method: 'GET',
  pattern,
  run: (call) => unpagedList(run(call)),
})

/**
 * Creates a route that reads a JSON object and returns one. `run` is called before the body is read, to refuse an unknown
 * path first, and returns what to do with the body.
 */
export const withBody = (
  method: Route['method'],
  pattern: string,
  run: (call: RouteCall) => (body: JsonObject) => unknown,
  status = 200,
): Route =>
  one(
    method,
    pattern,
    async (call) => {
      const apply = run(call)
      return apply(await readJsonObject(call.request, LIMITS.bodyMaxBytes))
    },
    status,
  )

/** Returns a whole list as one page. */
export function unpagedList(data: readonly unknown[]): OutgoingMessage {
  const meta = { page: 1, per_page: data.length, total: data.length }
  return jsonText(200, JSON.stringify({ data, meta }))
}

/** Reads a numeric id from the path. Throws 404 unless it is one. */
export function pathId(text: string | undefined): number {
  const id = readId(text)
  if (id === undefined) throw notFound()
  return id
}
