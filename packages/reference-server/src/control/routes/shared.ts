import { LIMITS } from '@formwire/contract'
import type { App } from '../../app.ts'
import type { Context } from '../../context.ts'
import { orNotFound } from '../../domain/service-error.ts'
import { type JsonObject, readJsonObject } from '../../http/body.ts'
import type { Journal } from '../../http/journal.ts'
import { item, jsonText } from '../../http/json-response.ts'
import type { OutgoingMessage, ResponseOrPromise } from '../../http/message.ts'
import { readId } from '../../http/parameters.ts'
import { type Route, type RouteCall, route } from '../../http/router.ts'
import type { BuiltInReceiver } from '../built-in-receiver.ts'
import type { RenderPreview } from '../previews.ts'
import type { Receivers } from '../receivers.ts'

/** Creates a GET route with query parameters. */
export const queryRoute = (
  pattern: string,
  parameters: readonly string[],
  run: (call: RouteCall) => ResponseOrPromise,
): Route => ({ method: 'GET', pattern, parameters, run })

/** Creates a route that returns one object. */
export const one = (
  method: Route['method'],
  pattern: string,
  run: (call: RouteCall) => unknown,
  status = 200,
): Route => route(method, pattern, async (call) => item(await run(call), status))

/** Creates a route that returns a whole list as one page. */
export const list = (pattern: string, run: (call: RouteCall) => readonly unknown[]): Route =>
  route('GET', pattern, (call) => unpagedList(run(call)))

/**
 * Creates a route that reads a JSON object and returns one. `run` is called before the body is read, to refuse an unknown
 * path first, and returns what to do with the body, which checks it: it may have any members.
 */
export const withBody = <Body extends object = JsonObject>(
  method: Route['method'],
  pattern: string,
  run: (call: RouteCall) => (body: Body) => unknown,
  status = 200,
): Route =>
  one(
    method,
    pattern,
    async (call) => {
      const apply = run(call)
      return apply((await readJsonObject(call.request, LIMITS.bodyMaxBytes)) as Body)
    },
    status,
  )

/** Returns a whole list as one page. */
export function unpagedList(data: readonly unknown[]): OutgoingMessage {
  const meta = { page: 1, per_page: data.length, total: data.length }
  return jsonText(200, JSON.stringify({ data, meta }))
}

/** Reads a numeric id from the path. Throws 404 unless it is one. */
export const pathId = (text: string | undefined): number => orNotFound(readId(text))

/** What the routes of the control API work on. */
export interface ControlParts {
  readonly app: App
  readonly context: Context
  readonly journal: Journal
  readonly receivers: Receivers
  readonly builtIn: BuiltInReceiver
  readonly loadPreviews: () => Promise<RenderPreview>
  /** Returns the admin token for a valid code of a link to the console, once. */
  readonly redeemSignIn: (code: unknown) => string | undefined
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}
