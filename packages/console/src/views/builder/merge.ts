import { contentOf, same } from './drafts.ts'
import { type EditedForm, type EditedQuestion, freeId, partsOf, YES_NO } from './model.ts'

/** A part of a form: its title, its language, a question or the order of the questions; `undefined` if it was removed. */
export type Part = string | null | EditedQuestion | readonly string[] | undefined

/** A part that was edited both here and elsewhere. */
export interface Clash {
  readonly key: string
  readonly mine: Part
  readonly theirs: Part
}

/** Applies the edits made to `base` to a newer version of the form. */
export interface Merge {
  readonly form: EditedForm
  /** What is in `form` as edited here, although it was edited elsewhere too. */
  readonly clashes: readonly Clash[]
}

const ORDER = 'order'
type Questions = readonly EditedQuestion[]

/** Returns a part as text that does not depend on what the server fills in: order of members, bounds, `required`. */
function plain(part: Part): string {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return JSON.stringify(part) ?? ''
  const question = part as EditedQuestion
  const filled = {
    ...partsOf(question).usualBounds,
    ...(question.type === 'yes_no' && { options: YES_NO }),
    ...question,
  }
  return JSON.stringify(
    Object.entries(filled)
      .filter(([, value]) => value !== false && value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const equal = (a: Part, b: Part): boolean => plain(a) === plain(b)
const idsOf = (questions: Questions): string[] => questions.map(({ id = '' }) => id)
const byId = (questions: Questions) => new Map(questions.map((one) => [one.id ?? '', one] as const))

/** Gives new questions ids that no question added elsewhere has. */
function withFreeIds(base: Questions, mine: Questions, theirs: Questions): Questions {
  const [before, others] = [byId(base), byId(theirs)]
  let result = mine
  for (const { id = '', ...question } of mine) {
    const other = others.get(id)
    if (before.has(id) || !other || equal({ id, ...question }, other)) continue
    const free = freeId([...byId([...result, ...theirs]).values()])
    result = result.map((one) => ({
      ...one,
      ...(one.id === id && { id: free }),
      ...(one.show_if?.question_id === id && { show_if: { ...one.show_if, question_id: free } }),
    }))
  }
  return result
}

/** Returns the ids of one order, and each that only the other one has after the one that it follows there. */
function joined(order: readonly string[], other: readonly string[]): string[] {
  const ids = [...order]
  for (const [at, id] of other.entries())
    if (!ids.includes(id)) ids.splice(at === 0 ? 0 : ids.indexOf(other[at - 1] ?? '') + 1, 0, id)
  return ids
}

/**
 * Merges edits with what was changed elsewhere since. A part edited in one place only is taken from there.
 *
 * @param base The form that both versions were made from.
 * @param taken Keys of the clashes of which the other version is taken. @default none: those of `mine` are
 */
export function merge(
  base: EditedForm,
  mine: EditedForm,
  theirs: EditedForm,
  taken: ReadonlySet<string> = new Set(),
): Merge {
  const clashes: Clash[] = []
  const choose = <Value extends Part>(key: string, before: Part, own: Value, other: Value): Value => {
    if (equal(own, other) || equal(own, before)) return other
    if (equal(other, before)) return own
    clashes.push({ key, mine: own, theirs: other })
    return taken.has(key) ? other : own
  }
  const own = withFreeIds(base.questions, mine.questions, theirs.questions)
  const [before, mineById, theirsById] = [base.questions, own, theirs.questions].map(byId)
  const [baseIds, ids, otherIds] = [base.questions, own, theirs.questions].map(idsOf)
  const common = (order: readonly string[] = []) =>
    order.filter((id) => before?.has(id) && mineById?.has(id) && theirsById?.has(id))
  const order = choose(ORDER, common(baseIds), common(ids), common(otherIds))
  const isMine = same(order, common(ids)) && !same(order, common(otherIds))
  const all = isMine ? joined(ids ?? [], otherIds ?? []) : joined(otherIds ?? [], ids ?? [])
  return {
    form: {
      title: choose('title', base.title, mine.title, theirs.title),
      language: choose('language', base.language, mine.language, theirs.language),
      questions: all
        .map((id) => choose(`#${id}`, before?.get(id), mineById?.get(id), theirsById?.get(id)))
        .filter((question) => question !== undefined),
    },
    clashes,
  }
}

/** Returns the members of a form that were edited. */
export const changesOf = (base: EditedForm, edited: EditedForm): Partial<EditedForm> =>
  Object.fromEntries(
    Object.entries(contentOf(edited)).filter(([name, value]) => !same(value, base[name as keyof EditedForm])),
  )
