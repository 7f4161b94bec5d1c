import type { DeliveryAttempt } from '@formwire/contract/control'
import { diffArrays } from 'diff'
import { useState } from 'preact/hooks'
import { day, duration, timeOfDay } from '../../format.ts'
import { Select } from '../../ui/controls.tsx'

export interface Piece {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Texts that differ in more words are shown as a whole: the time grows with the square of this number. */
const MAX_CHANGES = 1_200

/** Words, white space, and single other characters. */
const words = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? []

/** Returns the difference of two texts by words. The pieces without the added ones are `before`, those without the removed ones `after`. */
export function textDifference(before: string, after: string): Piece[] {
  const changes = diffArrays(words(before), words(after), { maxEditLength: MAX_CHANGES }) ?? [
    { removed: true, added: false, value: [before] },
    { removed: false, added: true, value: [after] },
  ]
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }))
}

const TAGS = { same: 'span', removed: 'del', added: 'ins' } as const

type Fact = readonly [label: string, read: (attempt: DeliveryAttempt) => string]

const OUTCOME: readonly Fact[] = [
  ['Status', ({ http_status: status }) => (status === null ? 'no response' : String(status))],
  ['Error', ({ error }) => error ?? 'none'],
]

const ALWAYS_DIFFERENT: readonly Fact[] = [
  ['Started', ({ started_at: at }) => `${day(Date.parse(at))}, ${timeOfDay(Date.parse(at))} UTC`],
  ['Duration', (attempt) => duration(attempt.duration_ms)],
  ['Timestamp header', ({ timestamp }) => String(timestamp)],
  ['Signature header', ({ signature }) => signature],
]

function BodyDifference({ before, after }: { before: DeliveryAttempt; after: DeliveryAttempt }) {
  const pieces = textDifference(before.receiver_answer ?? '', after.receiver_answer ?? '')
  if (pieces.length === 0) return <p class="hint">Neither attempt got a response body.</p>
  if (pieces.every(({ kind }) => kind === 'same'))
    return <p class="hint">The response bodies are identical.</p>
  return (
    <pre class="box difference" dir="ltr">
      {pieces.map(({ kind, text }, index) => {
        const Tag = TAGS[kind]
        return (
          <Tag key={index}>
            <bdi>{text}</bdi>
          </Tag>
        )
      })}
    </pre>
  )
}

/** Returns the numbers of the last attempt and of the latest one before it with another outcome, or else of the first one. */
function firstPair(attempts: readonly DeliveryAttempt[]): readonly number[] {
  const outcomeOf = ({ http_status: http, error, receiver_answer: body }: DeliveryAttempt) =>
    JSON.stringify([http, error, body])
  const last = outcomeOf(attempts.at(-1) as DeliveryAttempt)
  return [attempts.findLast((one) => outcomeOf(one) !== last)?.number ?? 1, attempts.length]
}

/** What differs between two attempts of a delivery. */
export function Comparison({ attempts }: { attempts: readonly DeliveryAttempt[] }) {
  const [numbers, setNumbers] = useState(() => firstPair(attempts))
  const [before, after] = numbers.map((number) => attempts[number - 1])
  if (!before || !after) return null
  const choice = (side: number, label: string) => (
    <Select
      label={label}
      text=""
      value={numbers[side] ?? 0}
      options={attempts.map(({ number }) => [number, `Attempt ${number}`])}
      choose={(chosen) =>
        setNumbers(numbers.map((number, index) => (index === side ? Number(chosen) : number)))
      }
    />
  )
  const rows = (facts: readonly Fact[]) => (
    <tbody>
      {facts.map(([label, read]) => {
        const [left, right] = [read(before), read(after)]
        return (
          <tr key={label} class={left === right ? 'equal' : 'differs'}>
            <th scope="row" class="muted">
              {label}
              {left === right ? null : <span class="off-screen"> (differs)</span>}
            </th>
            <td>{left}</td>
            <td>{right}</td>
          </tr>
        )
      })}
    </tbody>
  )
  return (
    <section class="box stack comparison" aria-label="Comparison of two attempts">
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{choice(0, 'First attempt to compare')}</th>
            <th scope="col">{choice(1, 'Second attempt to compare')}</th>
          </tr>
        </thead>
        {rows(OUTCOME)}
      </table>
      <h4>Response body</h4>
      <BodyDifference before={before} after={after} />
      <details>
        <summary class="hint">Always different: time, duration and signature</summary>
        <table>{rows(ALWAYS_DIFFERENT)}</table>
      </details>
    </section>
  )
}
