import { DELIVERY_ATTEMPTS, RETRY_DELAYS_MS } from '@formwire/contract'
import type { DeliveryDetail } from '@formwire/contract/control'
import { span } from '../../format.ts'

type StepState = 'good' | 'bad' | 'next' | 'todo' | 'unneeded' | 'cancelled'

const WORDS: Readonly<Record<StepState, string>> = {
  good: 'succeeded',
  bad: 'failed',
  next: 'next',
  todo: 'not attempted yet',
  unneeded: 'not needed',
  cancelled: 'cancelled',
}

/** Returns the state of an attempt by its index from 0. */
function stepState(
  { attempts, status }: Pick<DeliveryDetail, 'attempts' | 'status'>,
  index: number,
): StepState {
  const attempt = attempts[index]
  if (attempt) return attempt.error === null ? 'good' : 'bad'
  if (status === 'pending') return index === attempts.length ? 'next' : 'todo'
  // A delivery that failed with attempts left was stopped: paused, cancelled, or its response or form was deleted.
  return status === 'delivered' ? 'unneeded' : 'cancelled'
}

/** The six attempts of the retry schedule, and which of them this delivery has made (DLV-06). */
export function ScheduleBar({ detail }: { detail: DeliveryDetail }) {
  return (
    <ol class="schedule" aria-label={`${detail.attempts.length} of ${DELIVERY_ATTEMPTS} attempts made`}>
      {Array.from({ length: DELIVERY_ATTEMPTS }, (_, index) => {
        const state = stepState(detail, index)
        return (
          <li key={index} class={`caption ${state}`}>
            <i aria-hidden="true" />
            <span>{index === 0 ? 'first' : `+${span(RETRY_DELAYS_MS[index - 1] ?? 0)}`}</span>
            <span class="off-screen">{WORDS[state]}</span>
          </li>
        )
      })}
    </ol>
  )
}
