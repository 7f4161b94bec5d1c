import type { KnownQuestionType } from '@formwire/contract'
import type { Choice, FormAppearance, Question } from '@formwire/contract/control'

/** A question as the editor holds it. The server validates it, so the JSON view may hold anything. */
export type EditedQuestion = Pick<Question, 'type' | 'title'> & Partial<Omit<Question, 'type' | 'title'>>

/** What is edited of a form. */
export interface EditedForm extends Readonly<FormAppearance> {
  readonly title: string
  readonly questions: readonly EditedQuestion[]
}

/** Names of the question types, in the order in which the builder offers them. */
export const TYPE_NAMES: Readonly<Record<KnownQuestionType, string>> = {
  short_text: 'Short text',
  long_text: 'Long text',
  single_choice: 'Single choice',
  multiple_choice: 'Multiple choice',
  dropdown: 'Dropdown',
  yes_no: 'Yes or no',
  rating: 'Rating',
  nps: 'Net promoter score',
  scale: 'Scale',
  slider: 'Slider',
  number: 'Number',
  email: 'Email',
  url: 'URL',
  phone: 'Phone',
  date: 'Date',
  time: 'Time',
  ranking: 'Ranking',
  grid_single: 'Grid, one per row',
  grid_multiple: 'Grid, multiple per row',
  file: 'File upload',
  signature: 'Signature',
  address: 'Address',
}

const WITH_OPTIONS: ReadonlySet<string> = new Set(['single_choice', 'multiple_choice', 'dropdown', 'ranking'])
const WITH_OTHER: ReadonlySet<string> = new Set(['single_choice', 'multiple_choice', 'dropdown'])
/** Bounds by type, where the form has none: those of the server. */
const USUAL_BOUNDS: Readonly<Record<string, { min?: number; max?: number }>> = {
  number: {},
  scale: { min: 1, max: 10 },
  rating: { min: 1, max: 5 },
  nps: { min: 0, max: 10 },
  slider: { min: 1, max: 10 },
}

/** The parts of a question that its type has in the builder. */
export const partsOf = ({ type }: Pick<EditedQuestion, 'type'>) => ({
  options: WITH_OPTIONS.has(type),
  other: WITH_OTHER.has(type),
  grid: type === 'grid_single' || type === 'grid_multiple',
  bounds: Object.hasOwn(USUAL_BOUNDS, type),
  usualBounds: USUAL_BOUNDS[type],
})

const THREE: readonly string[] = ['Option 1', 'Option 2', 'Option 3']

/** Returns an id of lower-case letters, digits and `_` that none of `taken` is. */
export function idFor(label: string, taken: ReadonlySet<string>): string {
  const plain = label
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40)
  const base = plain === '' ? 'option' : plain
  let id = base
  for (let number = 2; taken.has(id); number++) id = `${base}_${number}`
  return id
}

/** Whether `idFor` returns this id for a label, with a number if others are taken. */
function isMadeFrom(label: string, id: string): boolean {
  const base = idFor(label, new Set())
  return id === base || (id.startsWith(`${base}_`) && /^\d+$/.test(id.slice(base.length + 1)))
}

/**
 * Returns the choices of these labels, one each. A saved choice keeps its id, also when its label is changed, so that the
 * answers given so far still name it. One that was never saved gets an id from its label, unless it was given one as JSON.
 *
 * @param saved The choices of the question as last saved.
 */
export function choicesOf(
  labels: readonly string[],
  before: readonly Choice[],
  saved: readonly Choice[] = [],
): Choice[] {
  const isListed = new Set(labels)
  const isSaved = new Set(saved.map(({ id }) => id))
  const isKept = ({ id, label }: Choice) => isSaved.has(id) || !isMadeFrom(label, id)
  const kept = new Map(before.filter(isKept).map(({ id, label }) => [label, id]))
  const taken = new Set<string>()
  const found = labels.map((label, index) => {
    const replaced = before[index]
    const isRenamed = replaced && isSaved.has(replaced.id) && !isListed.has(replaced.label)
    const id = kept.get(label) ?? (isRenamed ? replaced.id : undefined)
    if (id === undefined || taken.has(id)) return { label, id: undefined }
    taken.add(id)
    return { label, id }
  })
  return found.map(({ label, id }) => {
    if (id !== undefined) return { id, label }
    const made = idFor(label, taken)
    taken.add(made)
    return { id: made, label }
  })
}

/**
 * Returns the questions with another one in place of that at `index`. A condition on an option whose id changed with its label
 * follows it.
 */
export function withQuestion(
  questions: readonly EditedQuestion[],
  index: number,
  changed: EditedQuestion,
): readonly EditedQuestion[] {
  const before = questions[index]
  const options = changed.options ?? []
  if (before?.options?.length !== options.length) return replacedAt(questions, index, [changed])
  const present = new Set(options.map(({ id }) => id))
  const renamed = new Map(before.options.map(({ id }, at) => [id as unknown, options[at]?.id as string]))
  return questions.map((question, at) => {
    if (at === index) return changed
    const { show_if: condition } = question
    if (condition?.question_id !== changed.id || present.has(String(condition?.equals))) return question
    const equals = renamed.get(condition?.equals)
    return condition && equals !== undefined ? { ...question, show_if: { ...condition, equals } } : question
  })
}

/** Returns a new question of a type, with an id that the form does not have. */
export function newQuestion(type: KnownQuestionType, questions: readonly EditedQuestion[]): EditedQuestion {
  const question: EditedQuestion = { id: freeId(questions), type, title: TYPE_NAMES[type] }
  return withType(question, type)
}

/** Returns the question with another type, with the parts that this type needs and without those that it does not have. */
export function withType(question: EditedQuestion, type: KnownQuestionType): EditedQuestion {
  const { id, title, required, show_if: showIf, options, rows, columns, allow_other: other } = question
  const parts = partsOf({ type })
  return {
    ...(id !== undefined && { id }),
    type,
    title,
    ...(required !== undefined && { required }),
    ...(parts.options && { options: options?.length ? options : choicesOf(THREE, []) }),
    ...(parts.other && other !== undefined && { allow_other: other }),
    ...(parts.grid && {
      rows: rows?.length ? rows : choicesOf(['Row 1', 'Row 2'], []),
      columns: columns?.length ? columns : choicesOf(['Column 1', 'Column 2', 'Column 3'], []),
    }),
    ...(showIf !== undefined && { show_if: showIf }),
  }
}

/** Returns a copy of a question, with an id of its own. */
export const copyOf = (question: EditedQuestion, questions: readonly EditedQuestion[]): EditedQuestion => ({
  ...question,
  id: freeId(questions),
})

function freeId(questions: readonly EditedQuestion[]): string {
  const taken = new Set(questions.map(({ id }, index) => id ?? `q${index + 1}`))
  let number = questions.length + 1
  while (taken.has(`q${number}`)) number++
  return `q${number}`
}

/** Returns the list with the item at `index` moved by one place; the same list at its ends. */
export function moved<Item>(items: readonly Item[], index: number, by: -1 | 1): readonly Item[] {
  const target = index + by
  if (target < 0 || target >= items.length) return items
  const copy = [...items]
  const [item] = copy.splice(index, 1)
  copy.splice(target, 0, item as Item)
  return copy
}

/** Returns the list with other items in place of the one at `index`. */
export const replacedAt = <Item>(
  items: readonly Item[],
  index: number,
  by: readonly Item[],
): readonly Item[] => [...items.slice(0, index), ...by, ...items.slice(index + 1)]
