/** @jsxImportSource preact */
import { DELIVERY_ATTEMPTS } from '@formwire/contract'
import type { Delivery } from '../types.ts'

const TONES: Readonly<Record<string, string>> = {
  delivered: 'good',
  published: 'good',
  active: 'good',
  submitted: 'good',
  pending: 'wait',
  in_progress: 'wait',
  paused: 'wait',
  failed: 'bad',
  trashed: 'bad',
  revoked: 'bad',
}

const WORDS: Readonly<Record<string, string>> = { in_progress: 'draft' }

/** A state: told by its word, with the colour on top. */
export function Badge({ state }: { state: string }) {
  return <span class={`badge ${TONES[state] ?? 'calm'}`}>{WORDS[state] ?? state}</span>
}

/** The status of an HTTP answer, or `–` without one. */
export function HttpStatus({ status }: { status: number | null }) {
  if (status === null) return <span class="muted">–</span>
  return <span class={`http ${status >= 200 && status < 300 ? 'good' : 'bad'}`}>{status}</span>
}

/** Six pips, one an attempt: failed, succeeded, still to come. */
export function Attempts({ entry }: { entry: Pick<Delivery, 'attempts' | 'status'> }) {
  const pips = Array.from({ length: DELIVERY_ATTEMPTS }, (_, index) => {
    if (index >= entry.attempts) return entry.status === 'pending' ? 'todo' : 'none'
    return entry.status === 'delivered' && index === entry.attempts - 1 ? 'good' : 'bad'
  })
  return (
    <span class="pips" role="img" aria-label={`${entry.attempts} of ${DELIVERY_ATTEMPTS} attempts`}>
      {pips.map((kind, index) => (
        <i key={index} class={kind} />
      ))}
    </span>
  )
}
