import { DELIVERY_ATTEMPTS } from '@formwire/contract'
import type { Delivery } from '@formwire/contract/control'
import { STATUS_TONES } from '@formwire/internal/status-tone'

const WORDS: Readonly<Record<string, string>> = {
  in_progress: 'draft',
  trashed: 'in trash',
  unpublished: 'Unpublished changes',
  unsaved: 'Unsaved changes',
}

/** A status, as a word and a colour. @param text What to show instead of the word. */
export function Badge({
  state,
  text = WORDS[state] ?? state,
  title,
}: {
  state: string
  text?: string
  title?: string | undefined
}) {
  return (
    <span class={`badge ${STATUS_TONES[state] ?? 'calm'}`} title={title}>
      {text}
    </span>
  )
}

/** HTTP status of a response, or `–` if there was none. */
export function HttpStatus({ status }: { status: number | null }) {
  if (status === null) return <span class="muted">–</span>
  return <span class={`http ${status >= 200 && status < 300 ? 'good' : 'bad'}`}>{status}</span>
}

/** The last result of a delivery: the status of the response, or why there was none. */
export function Result({
  status,
  error,
  explanation,
}: {
  status: number | null
  error: string | null
  explanation: string
}) {
  if (status !== null || error === null) return <HttpStatus status={status} />
  return (
    <span class="error-class" title={explanation}>
      {error}
    </span>
  )
}

/** Six pips, one per attempt: failed, succeeded or not made yet. */
export function Attempts({ delivery }: { delivery: Pick<Delivery, 'attempts' | 'status'> }) {
  const pips = Array.from({ length: DELIVERY_ATTEMPTS }, (_, index) => {
    if (index >= delivery.attempts) return delivery.status === 'pending' ? 'todo' : 'none'
    return delivery.status === 'delivered' && index === delivery.attempts - 1 ? 'good' : 'bad'
  })
  return (
    <span class="pips" role="img" aria-label={`${delivery.attempts} of ${DELIVERY_ATTEMPTS} attempts`}>
      {pips.map((kind, index) => (
        <i key={index} class={kind} />
      ))}
    </span>
  )
}
