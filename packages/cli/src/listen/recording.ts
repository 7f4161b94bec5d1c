import { join } from 'node:path'
import { DELIVERY_HEADERS } from '@formwire/contract'
import { createFile } from '@formwire/internal/files'
import type { Context } from '../context.ts'
import { readJsonInput } from '../input/read-input.ts'
import type { Runtime } from '../runtime.ts'
import { forwardedHeaders, headerValue, type RawDelivery } from './delivery.ts'

/** Limit for a file to replay. A body has at most 2.5 MiB, of which each byte takes six characters if JSON escapes it. */
const MAX_BYTES = 32 * 1024 * 1024
/** Files of one delivery id and millisecond. */
const MAX_FILES = 1_000

/** A recorded delivery for `formwire replay`. It has no signature, since a replay gets a new one. */
interface Recording {
  formwire_recording: 1
  received_at: string
  event: string | null
  delivery_id: string | null
  headers: Record<string, string>
  /** The body as text if it is UTF-8, else `body_base64`. */
  body?: string
  body_base64?: string
}

/** Writes a delivery to a new file in the directory, readable only by its owner, and returns the path. */
async function record(directory: string, delivery: RawDelivery, receivedAt: string): Promise<string> {
  const deliveryId = headerValue(delivery.rawHeaders, DELIVERY_HEADERS.delivery) ?? null
  const text = new TextDecoder('utf-8', { fatal: false }).decode(delivery.body)
  const isText = Buffer.from(text).equals(delivery.body)
  const recording: Recording = {
    formwire_recording: 1,
    received_at: receivedAt,
    event: headerValue(delivery.rawHeaders, DELIVERY_HEADERS.event) ?? null,
    delivery_id: deliveryId,
    headers: withoutSignature(forwardedHeaders(delivery.rawHeaders)),
    ...(isText ? { body: text } : { body_base64: delivery.body.toString('base64') }),
  }
  const name = `${receivedAt.replaceAll(/[:.]/g, '-')}-${(deliveryId ?? 'unknown').replaceAll(/[^\w-]/g, '').slice(0, 64)}`
  return await writeNew(directory, name, `${JSON.stringify(recording, null, 2)}\n`)
}

/**
 * Writes a delivery to the directory of `--record`, if there is one, and returns the path. A failure is announced: a full disk is not
 * a reason to refuse a delivery.
 */
export async function tryRecord(
  { output }: Context,
  directory: string | undefined,
  delivery: RawDelivery,
  receivedAt: string,
): Promise<string | null> {
  if (directory === undefined) return null
  try {
    return await record(directory, delivery, receivedAt)
  } catch (error) {
    output.announce('not_recorded', `could not record a delivery: ${(error as Error).message}`)
    return null
  }
}

async function writeNew(directory: string, name: string, text: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = join(directory, `${name}${number === 1 ? '' : `-${number}`}.json`)
    try {
      await createFile(path, text)
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || number === MAX_FILES) throw error
    }
  }
}

function withoutSignature(headers: Record<string, string>): Record<string, string> {
  const signed: readonly string[] = [DELIVERY_HEADERS.signature, DELIVERY_HEADERS.timestamp]
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !signed.includes(name.toLowerCase())))
}

/** Reads a recording, or a file with the JSON body of an event. @throws Failure exit 2 */
export async function readReplayable(
  runtime: Pick<Runtime, 'stdin'>,
  path: string,
): Promise<{ body: Buffer; event: string | null }> {
  const hint = 'pass a recording of listen --record, or the JSON body of an event'
  // A file of this name: stdin may have the secret.
  const file = path === '-' ? './-' : path
  const { bytes, value } = await readJsonInput(runtime, file, MAX_BYTES, hint)
  const recording = Object(value) as Partial<Recording> & { event?: unknown }
  const event = typeof recording.event === 'string' ? recording.event : null
  if (recording.formwire_recording !== 1) return { body: bytes, event }
  const body =
    typeof recording.body === 'string'
      ? Buffer.from(recording.body)
      : Buffer.from(recording.body_base64 ?? '', 'base64')
  return { body, event }
}
