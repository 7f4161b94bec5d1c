/** Ways to misbehave. `redirect` is a 302 to another path of the same receiver. */
export const MISBEHAVIOURS = [
  'timeout',
  'hang-body',
  'endless-body',
  'drip',
  'reset',
  'redirect',
  'garbage',
] as const

export type Misbehaviour = (typeof MISBEHAVIOURS)[number]

const ENDINGS: readonly string[] = ['whole', 'hang-body', 'endless-body', 'drip']

/** An answer spelled out. */
export interface ScriptedAnswer {
  /** @default 200 */
  status?: number
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** Real milliseconds before anything is answered. @default 0 */
  delayMs?: number
  /** What becomes of the body. `whole` ends it properly. @default 'whole' */
  ending?: 'whole' | 'hang-body' | 'endless-body' | 'drip'
}

/**
 * What the receiver does with one request: a status (`'500'` or `500`), a misbehaviour, `'slow(250)'` (200 after 250 ms),
 * or an answer spelled out.
 */
export type ScriptStep = number | string | ScriptedAnswer

/** 200 after so many real milliseconds. */
export const slow = (delayMs: number, status = 200): ScriptedAnswer => ({ status, delayMs })

/** A step that can be played. */
export type Play =
  | { readonly kind: 'timeout' | 'reset' | 'garbage' }
  | { readonly kind: 'answer'; readonly answer: Required<ScriptedAnswer> }

/** @throws TypeError that names a step which cannot be read. */
export function readStep(step: ScriptStep): Play {
  if (typeof step === 'object') return readAnswer(step)
  switch (step) {
    case 'timeout':
    case 'reset':
    case 'garbage':
      return { kind: step }
    case 'redirect':
      return answer({ status: 302, headers: { location: '/redirected' } })
    case 'hang-body':
    case 'endless-body':
    case 'drip':
      return answer({ ending: step })
  }
  const delay = typeof step === 'string' ? /^slow\((\d{1,6})\)$/.exec(step)?.[1] : undefined
  if (delay !== undefined) return answer(slow(Number(delay)))
  if (!/^[2-5]\d\d$/.test(String(step))) {
    throw new TypeError(
      `Cannot read the step ${JSON.stringify(step)}: give a status from 200 to 599, slow(MS), or one of ${MISBEHAVIOURS.join(', ')}.`,
    )
  }
  const status = Number(step)
  return answer(status >= 300 && status < 400 ? { status, headers: { location: '/redirected' } } : { status })
}

/** What cannot be played is refused here, where the test can see it, and not when a request has come. */
function readAnswer(given: ScriptedAnswer): Play {
  const problem = problemOf(given)
  if (problem) throw new TypeError(`Cannot read the step ${JSON.stringify(given)}: ${problem}.`)
  return answer(given)
}

function problemOf(given: ScriptedAnswer | null): string | undefined {
  if (given === null || Array.isArray(given)) return 'give a status, a name, or an answer as an object'
  const { status = 200, delayMs = 0, ending = 'whole' } = given
  if (!(Number.isInteger(status) && status >= 200 && status <= 999)) return 'status takes a number from 200'
  if (!(Number.isFinite(delayMs) && delayMs >= 0)) return 'delayMs takes milliseconds from 0'
  return ENDINGS.includes(ending) ? undefined : `ending takes one of ${ENDINGS.join(', ')}`
}

function answer(given: ScriptedAnswer): Play {
  return {
    kind: 'answer',
    answer: { status: 200, headers: {}, body: '', delayMs: 0, ending: 'whole', ...given },
  }
}
