import { createHmac } from 'node:crypto'
import { isObjectOrArray } from '@formwire/internal/json'
import { setHeader } from '../edit-delivery.ts'
import { isExpected } from './checks.ts'
import type { GenuineDelivery } from './probe.ts'
import type { Connection } from './target.ts'
import { within } from './timers.ts'

/** A mistake that makes a receiver refuse every genuine delivery, and the signature that it takes for the right one. */
interface Mistake {
  signature(delivery: GenuineDelivery): string
  hint: string
}

/** Milliseconds for all of them. */
const PATIENCE_MS = 5_000
const RAW_BYTES = 'keep the raw bytes of the request and compute the HMAC over them.'

const MISTAKES: readonly Mistake[] = [
  {
    signature: (delivery) => sign(delivery, { body: spaced(delivery.payload) }),
    hint: `The receiver parses the JSON and serializes it again, with other white space, before it verifies it: ${RAW_BYTES}`,
  },
  {
    signature: (delivery) => sign(delivery, { body: JSON.stringify(sorted(delivery.payload)) }),
    hint: `The receiver parses the JSON and serializes it again, with sorted names, before it verifies it: ${RAW_BYTES}`,
  },
  {
    signature: (delivery) => sign(delivery, { key: rest(delivery.secret) }),
    hint: 'The receiver leaves out the whsec_ of the secret: the key is the whole text.',
  },
  {
    signature: (delivery) => sign(delivery, { key: Buffer.from(rest(delivery.secret), 'base64') }),
    hint: 'The receiver decodes the secret from base64: the key is the whole text, whsec_ included.',
  },
  {
    signature: (delivery) => sign(delivery, { key: `${delivery.secret}\n` }),
    hint: 'The secret of the receiver ends with a line break: remove it where the secret is read.',
  },
  {
    signature: (delivery) => `sha256=${hmac(delivery.secret, delivery.body).digest('hex')}`,
    hint: 'The receiver verifies the body alone: the HMAC covers the text of X-Service-Timestamp, a dot and the raw body.',
  },
  {
    signature: (delivery) => sign(delivery, { dot: '' }),
    hint: 'The receiver leaves out the dot: the HMAC covers the text of X-Service-Timestamp, a dot and the raw body.',
  },
  {
    signature: (delivery) => sign(delivery).slice('sha256='.length),
    hint: 'The receiver compares the signature without "sha256=": put it in front of the digits that you compute.',
  },
  {
    signature: ({ secret, timestampSeconds, body }) =>
      `sha256=${hmac(secret, `${timestampSeconds}.${body}`).digest('base64')}`,
    hint: 'The receiver compares base64: the signature is "sha256=" and lowercase hex digits.',
  },
]

/** Returns the hint of the mistake that the receiver makes: the one whose signature it accepts. */
export async function mistakeOf(run: Connection): Promise<string | undefined> {
  const { next, sender, clock, stop } = run
  const found = await within(clock, PATIENCE_MS, async (over) => {
    for (const { signature, hint } of MISTAKES) {
      const delivery = next()
      const probe = setHeader(delivery, 'X-Service-Signature', signature(delivery))
      const { status } = await sender.send(probe, AbortSignal.any([over, stop]))
      if (isExpected('2xx', status)) return hint
    }
    return undefined
    // What it does with these is of no interest in itself.
  }).catch(() => undefined)
  stop.throwIfAborted()
  run.lastResponseAt = clock.now()
  return found
}

function sign(
  { secret, timestampSeconds, body: rawBody }: GenuineDelivery,
  { key = secret, dot = '.', body = rawBody }: { key?: string | Buffer; dot?: string; body?: string } = {},
): string {
  return `sha256=${hmac(key, `${timestampSeconds}${dot}${body}`).digest('hex')}`
}

function hmac(key: string | Buffer, text: string): ReturnType<typeof createHmac> {
  return createHmac('sha256', key).update(text)
}

function rest(secret: string): string {
  return secret.replace(/^whsec_/, '')
}

/** Returns JSON on one line with spaces after commas and colons, as Python writes it. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '')
}

/** Returns a copy whose names are sorted at every depth, as Go writes a map. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObjectOrArray(value)) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]))
}
