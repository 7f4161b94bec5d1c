import type { RequestReplay } from '@formwire/contract/control'
import type { Context } from '../context.ts'
import type { ApiKey } from '../domain/key.ts'
import { invalid, notFound, ServiceError } from '../domain/service-error.ts'
import type { JsonObject } from '../http/body.ts'
import type { RecordedMessage } from '../http/journal-messages.ts'
import type { IncomingMessage, Replay } from '../http/message.ts'
import { namesOf } from '../known-names.ts'
import { JOURNAL_BODY_BYTES } from '../resource-limits.ts'
import { refuseUnknownFields } from '../services/input.ts'
import type { ControlParts } from './routes/shared.ts'

const FIELDS = namesOf<RequestReplay>({ key_id: true })

/** Headers that describe the connection or the credential of the first request. */
const NOT_SENT = new Set([
  'authorization',
  'connection',
  'cookie',
  'expect',
  'keep-alive',
  'transfer-encoding',
])

/** Returns what sends a request of the journal again and returns the new one. Throws 404 if the journal does not have it. */
export function replayOf(
  id: string,
  { app, context, journal, handle }: ControlParts,
  signal: AbortSignal,
): (body: JsonObject) => Promise<unknown> {
  const recorded = journal.toReplay(id)
  if (!recorded) throw notFound()
  return async (body) => {
    refuseUnknownFields(body, FIELDS)
    const replay: Replay = { key: keyOf(body.key_id, recorded, context), number: 0 }
    const message = messageOf(recorded, replay, context.settings.publicUrl, signal)
    await handle(message)
    // Also of a body that nothing read.
    message.bodyStart?.add(recorded.body?.bytes() ?? new Uint8Array())
    const entry = app.requests.get(String(replay.number))
    if (!entry) throw new ServiceError('not_found', 'The journal does not have the new request any more.')
    return entry
  }
}

function keyOf(id: unknown, recorded: RecordedMessage, { state }: Context): ApiKey | undefined {
  if (id === undefined) {
    const { key, fault } = recorded
    if (!key && (fault?.status !== undefined || fault?.reset === true || fault?.reset === 'before'))
      throw invalid(
        'key_id',
        'A fault ended this request before its key was checked; choose one with key_id.',
      )
    if (!key) return undefined
    const own = state.keys.get(key.id)
    // After a restored snapshot, another key may have its id.
    if (own?.hash !== key.hash)
      throw invalid('key_id', 'The key of this request does not exist any more; choose one with key_id.')
    return own
  }
  if (id === null) return undefined
  const key = Number.isInteger(id) ? state.keys.get(id as number) : undefined
  if (!key) throw invalid('key_id', `No key has the id ${JSON.stringify(id)}.`)
  return key
}

function messageOf(
  { method, path, query, isMasked, headers, body }: RecordedMessage,
  replay: Replay,
  origin: string,
  signal: AbortSignal,
): IncomingMessage {
  if (isMasked)
    throw new ServiceError(
      'validation_failed',
      'The URL of this request has a secret that the journal does not keep.',
    )
  // GET and DELETE have no body to miss.
  if (!headers && !['GET', 'HEAD', 'DELETE'].includes(method))
    throw new ServiceError('validation_failed', 'The journal does not have the body of this request.')
  if (body?.isCut && body.size <= JOURNAL_BODY_BYTES)
    throw new ServiceError(
      'validation_failed',
      'The journal does not have the whole body of this request, since it was not received to its end.',
    )
  if (body && body.size > JOURNAL_BODY_BYTES)
    throw new ServiceError(
      'validation_failed',
      `The journal has only the first ${JOURNAL_BODY_BYTES} of the ${body.size} bytes of the body.`,
    )
  const sent = new Map([...(headers ?? [])].filter(([name]) => !NOT_SENT.has(name)))
  const bytes = body?.bytes() ?? new Uint8Array()
  return {
    method,
    path,
    query,
    headers: { get: (name) => sent.get(name) },
    sentHeaders: sent,
    replay,
    address: '127.0.0.1',
    origin,
    readBody: async () => bytes,
    signal,
  }
}
