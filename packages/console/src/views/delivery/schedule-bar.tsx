/** @jsxImportSource preact */
import { DELIVERY_ATTEMPTS, RETRY_DELAYS_MS } from '@formwire/contract'
import type { DeliveryDetail } from '@formwire/contract/control'
import { span } from '../format.ts'

/** The six attempts of the retry schedule, and which of them this delivery has made (DLV-06). */
export function ScheduleBar({ detail }: { detail: DeliveryDetail }) {
  const made = detail.attempts.length
  return (
    <ol class="schedule" aria-label={`${made} of ${DELIVERY_ATTEMPTS} attempts made`}>
      {Array.from({ length: DELIVERY_ATTEMPTS }, (_, index) => {
        const attempt = detail.attempts[index]
        const state = attempt
          ? attempt.error === null
            ? 'good'
            : 'bad'
          : detail.status === 'pending'
            ? index === made
              ? 'next'
              : 'todo'
            : 'none'
        const words = {
          good: 'succeeded',
          bad: 'failed',
          next: 'next',
          todo: 'not made yet',
          none: 'not needed',
        }[state]
        return (
          <li key={index} class={state}>
            <i aria-hidden="true" />
            <span>{index === 0 ? 'now' : `+${span(RETRY_DELAYS_MS[index - 1] ?? 0)}`}</span>
            <span class="off-screen">{words}</span>
          </li>
        )
      })}
    </ol>
  )
}
