import type { PageMeta } from '@formwire/contract'
import { parseJson, parseObject } from '@formwire/internal/json'
import { signal } from '@preact/signals'
import { signOut, token } from './session.ts'

export { parseJson as parse }

/** An error response of `/_app`, or a server that could not be reached (`status` 0). */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number
  /** The invalid field of the request body, if the server named one. */
  readonly field: string | undefined
  constructor(status: number, message: string, field?: unknown) {
    super(message)
    this.status = status
    this.field = typeof field === 'string' ? field : undefined
  }
}

/** What is shown for a bug of the console. */
export const BROKEN = 'Something went wrong in the console. Reload the page.'

/** Number of responses of the server, also to the live stream. */
export const responseCount = signal(0)

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Returns the absolute URL of a path below `/_app/`. The page itself is `/_app/console`. */
export const appUrl = (path: string): string => new URL(path, new URL('.', location.href.split('#')[0])).href

/** Returns the root URL of the server without a trailing slash, for the commands that the console shows. */
export const serverUrl = (): string =>
  new URL('..', new URL('.', location.href.split('#')[0])).href.replace(/\/$/, '')

export const authorization = (): Record<string, string> => ({ authorization: `Bearer ${token.peek() ?? ''}` })

async function send(method: Method, path: string, body?: unknown): Promise<unknown> {
  return parseJson(await (await request(method, path, body)).text())
}

async function request(method: Method, path: string, body?: unknown): Promise<Response> {
  const sentToken = token.peek()
  const hasBody = body !== undefined
  const response = await fetch(appUrl(path), {
    method,
    headers: {
      ...authorization(),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(body) }),
    cache: 'no-store',
    credentials: 'omit',
  }).catch(() => {
    throw new CallError(0, `Can’t reach the server at ${serverUrl()}.`)
  })
  responseCount.value++
  if (response.ok) return response
  // A 401 for an earlier token must not remove a token entered since.
  if (response.status === 401 && sentToken === token.peek()) signOut('token')
  const text = await response.text().catch(() => '')
  const { error } = (parseObject(text) ?? {}) as {
    error?: { message?: unknown; details?: { field?: unknown } }
  }
  const fallback = `The server responded with ${response.status}.`
  throw new CallError(
    response.status,
    typeof error?.message === 'string' ? error.message : fallback,
    error?.details?.field,
  )
}

/** Calls `/_app/{path}` and returns the `data` of the response. @throws CallError */
export async function call<Data>(method: Method, path: string, body?: unknown): Promise<Data> {
  return ((await send(method, path, body)) as { data: Data } | undefined)?.data as Data
}

/** Returns the `data` of `/_app/{path}`. @throws CallError */
export const get = <Data>(path: string): Promise<Data> => call('GET', path)

/** Returns the path of a form in the control API. */
export const formPath = (id: string): string => `forms/${encodeURIComponent(id)}`

/** Returns one page of a list, or a list that is not paged. @throws CallError */
export const list = async <Item>(path: string): Promise<{ data: Item[]; meta?: PageMeta }> =>
  (await send('GET', path)) as { data: Item[] }

/** Downloads `/_app/{path}` as a file. The token is sent in a header, so the URL alone cannot be a link. @throws CallError */
export async function download(path: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await (await request('GET', path)).blob())
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has its own reference to the content once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
