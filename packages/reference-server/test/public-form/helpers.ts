import { createReferenceServer, type ReferenceServerOptions } from '../../src/index.ts'

const START = '2026-11-21T09:00:00.000Z'

/** A server on a manual clock with one published form. */
export async function startForm(
  questions: readonly object[],
  { options = {}, form: draft = {} }: { options?: ReferenceServerOptions; form?: object } = {},
) {
  const server = createReferenceServer({ clock: 'manual', now: START, ...options })
  await server.ready
  const created = server.app.forms.create({ title: 'Dinner', questions, ...draft })
  const form = server.app.forms.publish(created.id)
  const base = `http://formwire.test/f/${form.slug}`

  const call = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await server.fetch(new Request(`${base}${path}`, { method, ...init }))
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parse(text) }
  }
  const json = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, path, {
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return {
    server,
    form,
    call,
    json,
    /** A browser's form post. */
    post: (
      path: string,
      fields: [string, string | File][] | FormData | string,
      headers: Record<string, string> = {},
    ) =>
      call('POST', path, {
        headers: {
          accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
          ...(fields instanceof FormData ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...headers,
        },
        body: fields instanceof FormData || typeof fields === 'string' ? fields : urlencoded(fields),
      }),
    /** The response as the API shows it. */
    stored: (id: number) => JSON.parse(server.app.responses.get(form.id, id).json),
    submit: (values: Record<string, unknown>, more: object = {}) =>
      json('POST', '', { answers: answersOf(values), ...more }),
    upload: (file: File, questionId?: string) => {
      const body = new FormData()
      if (questionId !== undefined) body.append('question_id', questionId)
      body.append('file', file)
      return call('POST', '/files', { body })
    },
  }
}

/** Answers as `[{question_id, value}]`. */
export const answersOf = (values: Record<string, unknown>): { question_id: string; value: unknown }[] =>
  Object.entries(values).map(([question_id, value]) => ({ question_id, value }))

// biome-ignore lint/suspicious/noExplicitAny: tests read any part of a response
function parse(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const urlencoded = (fields: [string, string | File][]): string =>
  new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString()
