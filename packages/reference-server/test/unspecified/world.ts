import type { ReferenceServer } from '../../src/index.ts'
import type { Told } from '../support/server.ts'

/** First instant of every world here. */
export const START = '2026-03-01T12:00:00.000Z'

/** An empty server, asked from outside. */
export interface World {
  readonly server: ReferenceServer
  /** Where it listens; `undefined` in process. */
  readonly url: string | undefined
  /** A path of any side; with the write key below `/api/v1`, with the admin token below `/_app`. */
  ask(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Told>
}

export interface MadeForm {
  readonly id: string
  readonly slug: string
  /** Its path in the API. */
  readonly path: string
}

/** A published form. */
export async function makeForm({ ask }: World, json: object = {}): Promise<MadeForm> {
  const { id, slug } = (await ask('POST', '/_app/forms', { title: 'Form', ...json })).json.data
  await ask('POST', `/_app/forms/${id}/publish`)
  return { id, slug, path: `/api/v1/forms/${id}` }
}

/** Submits a response. Gives its id. */
export const submit = async ({ ask }: World, { slug }: MadeForm, answers: object[] = []): Promise<number> =>
  (await ask('POST', `/f/${slug}`, { answers })).json.data.id
