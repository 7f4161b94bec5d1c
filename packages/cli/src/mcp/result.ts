import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import { isInputRequiredResult } from '@modelcontextprotocol/server'
import type { Context } from '../context.ts'
import { Failure, type Words } from '../failure.ts'
import { redact, safeJson } from '../output/text-safety.ts'
import { failedIn, toFailure } from '../report.ts'
import { type ServiceError, serviceMessage } from '../service-message.ts'
import { RETRY_AFTER_S } from './deadline.ts'
import { invalidArgument } from './failures.ts'
import { mapMembers, untrusted, wordsOf } from './untrusted.ts'

/** Characters of a result. A token is some four of them. */
export const RESULT_MAX_CHARACTERS = 32_000

/** A code as services have them. */
const CODE = /^[a-z][a-z\d_]{0,59}$/

/** Characters left for what surrounds the items of a page. */
export const PAGE_MARGIN = 2_000

/** What a longer result is cut to, in this order, until it fits: characters of a text, and items of a list. */
const CUTS = [
  { text: 4_000, items: 200 },
  { text: 1_000, items: 100 },
  { text: 300, items: 50 },
  { text: 100, items: 20 },
  { text: 40, items: 5 },
] as const

/**
 * Returns the result of a tool as compact JSON. What does not fit is cut, and says so.
 * @param secrets Redacts these, and everything that looks like a key or a secret
 */
export function toResult(value: unknown, secrets?: readonly string[]): CallToolResult | InputRequiredResult {
  if (isInputRequiredResult(value)) return value
  return { content: [{ type: 'text', text: fitted(secrets ? redacted(value, secrets) : value) }] }
}

/** Returns an error as a result, with its code and what to do about it. Keys and secrets of the service are redacted. */
export function failureResult(error: unknown, context: Context): CallToolResult {
  const text = fitted({ error: shownError(error, context) })
  return { isError: true, content: [{ type: 'text', text }] }
}

/** What errors advise, with tools instead of commands. */
const TOOLS: Words = {
  forms: 'the tool forms lists them',
  responses: (form) => `the tool responses lists them: {"form": "${form}"}`,
  webhooks: (form) => `the tool forms lists them: {"form": "${form}"}`,
  whoami: 'the user can run formwire whoami',
  smallerSample: 'with a smaller sample',
  again: 'then call the tool again',
}

export function shownError(error: unknown, context: Context): object {
  const { code, message, hint, advice, status, details } = toFailure(error, failedIn(context))
  const { status: refused, retryAfterMs, timeoutMs } = Object(error) as ClientError
  const retry_after_s =
    retryAfterMs === undefined ? timeoutMs && RETRY_AFTER_S : Math.ceil(retryAfterMs / 1000)
  const facts = { hint: advice?.(TOOLS) ?? hint, status, retry_after_s }
  // The words of the service, which may be those of a stranger.
  const told =
    refused !== undefined && !(error instanceof Failure) && serviceMessage(Object(error)) === message
      ? {
          code: CODE.test(code) ? code : `http_${refused}`,
          message: `the service responded with ${refused}`,
          service_message: untrusted(message),
          ...facts,
          details: details && wordsOf(details, ...Object.keys(details).filter((name) => CODE.test(name))),
        }
      : { code, message, ...facts, details }
  return redacted(told, context.secrets)
}

/** The members of errors of the client that are used here. */
type ClientError = ServiceError & { retryAfterMs?: number; timeoutMs?: number }

/** Returns the value without keys and secrets. To be called before it becomes JSON or is cut: a part of a key is not found. */
export function redacted<Value>(value: Value, secrets: readonly string[]): Value {
  const clean = (text: string): string => redact(text, secrets)
  const copy = (part: unknown): unknown =>
    typeof part === 'string' ? clean(part) : mapMembers(part, copy, clean)
  return copy(value) as Value
}

export interface Page<Item> {
  items: Item[]
  /** Pass it as `cursor` for the next page. `null` at the end. */
  next_cursor: string | null
}

/**
 * Returns as many items as fit in a result, at most `limit`, after the one whose key is `cursor`.
 * @throws Failure `invalid_cursor` if no item has that key
 */
export function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | number,
  { cursor, limit, reserved }: { cursor?: string | undefined; limit: number; reserved?: number },
): Page<Item> {
  const last = cursor === undefined ? -1 : items.findIndex((item) => String(keyOf(item)) === cursor)
  if (cursor !== undefined && last < 0)
    throw invalidArgument('cursor', `no item follows "${cursor}"`, 'begin again without cursor')
  const page = fittingOf(items.slice(last + 1, last + 1 + limit), reserved)
  const end = page.at(-1)
  const hasMore = last + 1 + page.length < items.length
  return { items: page, next_cursor: hasMore && end !== undefined ? String(keyOf(end)) : null }
}

/** Returns the first items, as many as fit in a result beside `reserved` characters, and at least one. */
export function fittingOf<Item>(items: readonly Item[], reserved = PAGE_MARGIN): Item[] {
  let size = reserved
  const end = items.findIndex((item, index) => {
    size += safeJson(item).length
    return size > RESULT_MAX_CHARACTERS && index > 0
  })
  return items.slice(0, end < 0 ? undefined : end)
}

function fitted(value: unknown): string {
  let text = safeJson(value) ?? 'null'
  for (const cut of CUTS) {
    if (text.length <= RESULT_MAX_CHARACTERS) return text
    text = safeJson(shortened(value, cut))
  }
  if (text.length <= RESULT_MAX_CHARACTERS) return text
  return safeJson({
    error: {
      code: 'result_too_large',
      message: `the result exceeds ${RESULT_MAX_CHARACTERS} characters`,
      hint: 'ask for less: use a filter, or a smaller limit',
    },
  })
}

function shortened(value: unknown, cut: (typeof CUTS)[number]): unknown {
  if (typeof value === 'string') return cutText(value, cut.text)
  const short = (part: unknown): unknown => shortened(part, cut)
  if (!Array.isArray(value) || value.length <= cut.items) return mapMembers(value, short)
  return [...value.slice(0, cut.items).map(short), `… ${value.length - cut.items} more`]
}

/** Returns the first characters of a text, and how many follow. */
export const cutText = (text: string, characters: number): string =>
  text.length > characters
    ? `${text.slice(0, characters)}… ${text.length - characters} more characters`
    : text
