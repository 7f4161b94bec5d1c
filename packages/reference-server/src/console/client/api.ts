import type { PageMeta } from '@formwire/contract'
import type { PublishedQuestion } from './sample-answers.ts'
import { signOut, token } from './state/session.ts'

/** A refusal of `/_app`, or a server that could not be reached (`status` 0). */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number
  /** The field of the body that the server refused, when it named one. */
  readonly field: string | undefined
  constructor(status: number, message: string, field?: unknown) {
    super(message)
    this.status = status
    this.field = typeof field === 'string' ? field : undefined
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Absolute address of a path below `/_app/`; the page itself is `/_app/console`. */
export const appUrl = (path: string): string => new URL(path, new URL('.', location.href.split('#')[0])).href

/** Root of the server, without a slash at its end, for the commands that the console shows. */
export const serverUrl = (): string =>
  new URL('..', new URL('.', location.href.split('#')[0])).href.replace(/\/$/, '')

export const authorization = (): Record<string, string> => ({ authorization: `Bearer ${token.peek() ?? ''}` })

async function send(method: Method, path: string, body: unknown): Promise<unknown> {
  const sentToken = token.peek()
  const init: RequestInit = { method, headers: authorization(), cache: 'no-store', credentials: 'omit' }
  if (body !== undefined) {
    init.body = JSON.stringify(body)
    init.headers = { ...authorization(), 'content-type': 'application/json' }
  }
  let response: Response
  try {
    response = await fetch(appUrl(path), init)
  } catch {
    throw new CallError(0, `The server at ${serverUrl()} does not answer.`)
  }
  const text = await response.text()
  const answer = parse(text)
  if (response.ok) return answer
  // A late refusal of an earlier token must not throw out the one that was entered since.
  if (response.status === 401 && sentToken === token.peek()) signOut(true)
  const error = (answer as { error?: { message?: unknown; details?: { field?: unknown } } } | undefined)
    ?.error
  const message = error?.message
  throw new CallError(
    response.status,
    typeof message === 'string' ? message : `The server answered ${response.status}.`,
    error?.details?.field,
  )
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Calls `/_app/{path}` and gives the `data` of its answer. @throws CallError */
export async function call<Data>(method: Method, path: string, body?: unknown): Promise<Data> {
  return ((await send(method, path, body)) as { data: Data } | undefined)?.data as Data
}

export interface Page<Item> {
  data: Item[]
  meta?: PageMeta
}

/** One page of a list. @throws CallError */
export async function list<Item>(path: string): Promise<Page<Item>> {
  return (await send('GET', path, undefined)) as Page<Item>
}

/** The questions of a public form, as last published. Asked without the token: anybody may. @throws CallError */
export async function publishedQuestions(slug: string): Promise<readonly PublishedQuestion[]> {
  const address = `${serverUrl()}/f/${encodeURIComponent(slug)}`
  const init: RequestInit = {
    headers: { accept: 'application/json' },
    cache: 'no-store',
    credentials: 'omit',
  }
  const response = await fetch(address, init).catch(() => undefined)
  const answer = response && (parse(await response.text()) as Answer | undefined)
  if (!answer?.data) throw new CallError(response?.status ?? 0, `The form at ${address} takes nothing.`)
  return answer.data.questions
}

interface Answer {
  readonly data?: { readonly questions: readonly PublishedQuestion[] }
}

/** Every page of a list, 100 a page; a route that does not page is asked once. @throws CallError */
export async function listAll<Item>(path: string): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 1; ; page++) {
    const answer = await list<Item>(`${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=100`)
    items.push(...answer.data)
    if (!answer.meta || answer.data.length === 0 || items.length >= answer.meta.total) return items
  }
}
