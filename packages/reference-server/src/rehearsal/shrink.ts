import type { RehearsalKind } from '@formwire/internal/rehearsal-kinds'
import type { DeliveryTrouble, Schedule, ScheduledStep } from './schedule.ts'

/** Returns the kinds that are in a schedule. */
export function kindsOf({ responses, steps }: Schedule): Set<RehearsalKind> {
  const kinds = new Set<RehearsalKind>(steps.map(({ kind }) => kind))
  for (const [index, response] of responses.entries()) {
    for (const { kind } of response.delivery ?? []) kinds.add(kind)
    if (response.same_instant) kinds.add('same-instant')
    if (response.draft_ms !== undefined) kinds.add('draft')
    if (response.delete_ms !== undefined) kinds.add('delete')
    if (response.at_ms === responses[index - 1]?.at_ms) kinds.add('burst')
  }
  return kinds
}

/** Between two responses that are not submitted at once. */
const APART_MS = 3

/** Returns the schedule without a kind. */
export function withoutKind(schedule: Schedule, kind: RehearsalKind): Schedule {
  const { responses, steps } = schedule
  let free = 0
  return {
    ...schedule,
    steps: steps.filter((step) => step.kind !== kind),
    responses: responses.map((response) => {
      const { same_instant, draft_ms, delete_ms, delivery } = response
      const left = delivery?.filter((trouble) => trouble.kind !== kind) ?? []
      const at_ms = kind === 'burst' ? Math.max(response.at_ms, free) : response.at_ms
      free = at_ms + APART_MS
      return {
        at_ms,
        ...(same_instant && kind !== 'same-instant' && { same_instant }),
        ...(draft_ms !== undefined && kind !== 'draft' && { draft_ms }),
        ...(delete_ms !== undefined && kind !== 'delete' && { delete_ms }),
        ...(left.length > 0 && { delivery: left }),
      }
    }),
  }
}

/** Ways to simplify a schedule, those that leave out most first. */
const PASSES: readonly ((schedule: Schedule) => Iterable<Schedule>)[] = [
  ({ timestamps, ...usual }) => (timestamps === undefined ? [] : [usual]),
  (schedule) => Array.from(kindsOf(schedule), (kind) => withoutKind(schedule, kind)),
  fewerResponses,
  (schedule) =>
    schedule.steps.map((_, index) => ({ ...schedule, steps: schedule.steps.toSpliced(index, 1) })),
  (schedule) =>
    schedule.responses.flatMap(({ at_ms, ...rest }, index) =>
      Object.keys(rest).length === 0
        ? []
        : { ...schedule, responses: schedule.responses.with(index, { at_ms }) },
    ),
  (schedule) =>
    schedule.responses.flatMap((response, index) => {
      const { delivery = [] } = response
      return delivery.flatMap((trouble, at) => {
        const simpler = simplerTrouble(trouble)
        if (!simpler) return []
        const changed = { ...response, delivery: delivery.with(at, simpler) }
        return { ...schedule, responses: schedule.responses.with(index, changed) }
      })
    }),
  (schedule) =>
    schedule.steps.flatMap((step, index) =>
      simplerSteps(step).map((simpler) => ({ ...schedule, steps: schedule.steps.with(index, simpler) })),
    ),
  promptly,
]

/** Without the pause before the first response. */
function promptly(schedule: Schedule): Schedule[] {
  const { responses, steps } = schedule
  const first = responses[0]?.at_ms ?? 0
  const earlier = <Item extends { readonly at_ms: number }>(item: Item): Item => ({
    ...item,
    at_ms: Math.max(0, item.at_ms - first),
  })
  return first === 0 ? [] : [{ ...schedule, responses: responses.map(earlier), steps: steps.map(earlier) }]
}

/** Without half of the responses, a quarter, and so on to each alone. */
function* fewerResponses(schedule: Schedule): Generator<Schedule> {
  const { responses } = schedule
  for (let size = responses.length; size > 1; ) {
    size = Math.ceil(size / 2)
    for (let start = 0; start < responses.length; start += size) {
      yield { ...schedule, responses: responses.toSpliced(start, size) }
    }
  }
}

/** Real milliseconds after which a delivery that arrives a second time was answered before. */
export const AGAIN_MS = 100

/** A delivery that comes again is simpler than a replay, and one that comes again later than two at the same time. */
function simplerTrouble(trouble: DeliveryTrouble): DeliveryTrouble | undefined {
  if (trouble.kind === 'replay') return { kind: 'duplicate', after_ms: AGAIN_MS }
  if (trouble.kind === 'duplicate' && trouble.after_ms < AGAIN_MS) return { ...trouble, after_ms: AGAIN_MS }
  return 'times' in trouble && trouble.times > 1 ? { ...trouble, times: 1 } : undefined
}

/** A stop at a moment of the program breaks it again more often than one at a time of the clock. */
function simplerSteps(step: ScheduledStep): ScheduledStep[] {
  if (step.kind === 'burst' && step.count > 1) return [{ ...step, count: Math.ceil(step.count / 2) }]
  if (step.kind !== 'kill' && step.kind !== 'terminate') return []
  if (step.when === 'now')
    return (['acknowledged', 'received', 'page'] as const).map((when) => ({
      ...step,
      when,
      at_ms: 0,
      then_ms: 0,
    }))
  if (step.at_ms > 0) return [{ ...step, at_ms: 0 }]
  return step.then_ms > 0 ? [{ ...step, then_ms: 0 }] : []
}

/** Returns how many simpler schedules are tried if none of them breaks. */
const candidatesOf = (schedule: Schedule): number =>
  PASSES.reduce((sum, pass) => sum + [...pass(schedule)].length, 0)

/**
 * Reduces a schedule as long as what is left still breaks. Stops when nothing simpler breaks, or when `isOver`.
 *
 * @param breaks Runs a schedule.
 * @param onTry Called before each run, with how many there were, and about how many there will be.
 */
export async function shrink(
  schedule: Schedule,
  breaks: (schedule: Schedule) => Promise<boolean>,
  isOver: () => boolean,
  onTry: (tries: number, about: number) => void = () => undefined,
): Promise<Schedule> {
  let smallest = schedule
  let tries = 0
  let about = candidatesOf(schedule)
  for (let before: Schedule | undefined; before !== smallest; ) {
    before = smallest
    for (const pass of PASSES) {
      for (let found = true; found; ) {
        found = false
        for (const simpler of pass(smallest)) {
          if (isOver()) return smallest
          onTry(tries, Math.max(about, tries + 1))
          tries += 1
          if (!(await breaks(simpler))) continue
          smallest = simpler
          about = tries + candidatesOf(smallest)
          found = true
          break
        }
      }
    }
  }
  return smallest
}
