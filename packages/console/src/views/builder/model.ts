import type { KnownQuestionType } from '@formwire/contract'
import type { BuilderForm, Choice, Question } from '@formwire/contract/control'

/** A question as the editor holds it. The server validates it. */
export type EditedQuestion = Pick<Question, 'type' | 'title'> & Partial<Omit<Question, 'type' | 'title'>>

/** What is edited of a form. */
export interface EditedForm extends Readonly<Pick<BuilderForm, 'language'>> {
  readonly title: string
  readonly questions: readonly EditedQuestion[]
}

/** Names of the question types, in the order in which the builder offers them, and their icons on a grid of 16 by 16. */
export const TYPES: Readonly<Record<KnownQuestionType, readonly [name: string, icon: string]>> = {
  short_text: ['Short text', 'M1.75 4.75h12.5v6.5H1.75zM4.5 8h3.5'],
  long_text: ['Long text', 'M2.5 4h11M2.5 8h11M2.5 12h6'],
  single_choice: ['Single choice', 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 9a1 1 0 1 0 0-2 1 1 0 0 0 0 2z'],
  multiple_choice: ['Multiple choice', 'M2.5 2.5h11v11h-11zM5 8l2.2 2.2L11 6'],
  dropdown: ['Dropdown', 'M1.75 4.75h12.5v6.5H1.75zM8.5 7.2l1.6 1.6 1.6-1.6'],
  yes_no: ['Yes or no', 'M1.5 8.5l2 2L7 6M10 6l4 4M14 6l-4 4'],
  rating: ['Rating', 'M8 2l2 4 4 .5-3 3 1 4-4-2-4 2 1-4-3-3L6 6z'],
  nps: ['Net promoter score', 'M2 11.5a6 6 0 0 1 12 0M8 11.5l2.8-4'],
  scale: ['Scale', 'M3 13V9.5M8 13V6.5M13 13V3.5'],
  slider: ['Slider', 'M2 8h4M10 8h4M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z'],
  number: ['Number', 'M6.5 2.5l-1 11M10.5 2.5l-1 11M2.5 6h11M2.5 10h11'],
  email: ['Email', 'M2 3.5h12v9H2zM2 4l6 5 6-5'],
  url: ['URL', 'M6.5 9.5l3-3M7 4.5l2-2a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5l-2 2A3 3 0 0 1 2.5 9L4.5 7'],
  phone: ['Phone', 'M4.5 1.75h7v12.5h-7zM7.5 12h1'],
  date: ['Date', 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3'],
  time: ['Time', 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.5V8l2.5 1.5'],
  ranking: ['Ranking', 'M3.5 12.5v-9M1.5 5.5l2-2 2 2M8.5 4H14M8.5 8h4M8.5 12H11'],
  grid_single: ['Grid, one per row', 'M2.5 2.5h11v11h-11zM2.5 8h11M8 2.5v11'],
  grid_multiple: ['Grid, many per row', 'M2.5 2.5h11v11h-11zM2.5 6h11M2.5 10h11M6 2.5v11M10 2.5v11'],
  file: ['File upload', 'M8 10.5v-8M5 5.5l3-3 3 3M2.5 13.5h11'],
  signature: ['Signature', 'M2 13.5h12M2.5 10C4.5 5 7 2 8 3s-4 7-2.5 7.5S8.5 7 9.5 8s1.5 2 4 1'],
  address: ['Address', 'M8 14.2S3.2 9.9 3.2 6.5a4.8 4.8 0 0 1 9.6 0c0 3.4-4.8 7.7-4.8 7.7zM8 7.5V5.5'],
}

/** Returns the name of a type, or the type itself if it is not known. */
export const typeName = (type: string): string => TYPES[type as KnownQuestionType]?.[0] ?? type

const WITH_OPTIONS: ReadonlySet<string> = new Set(['single_choice', 'multiple_choice', 'dropdown', 'ranking'])
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
  other: WITH_OPTIONS.has(type) && type !== 'ranking',
  grid: type === 'grid_single' || type === 'grid_multiple',
  bounds: Object.hasOwn(USUAL_BOUNDS, type),
  usualBounds: USUAL_BOUNDS[type],
})

/** Returns an id of lower-case letters, digits and `_` that none of `taken` is. */
export function idFor(label: string, taken: ReadonlySet<string>): string {
  const words = label
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  const base = words.filter(Boolean).join('_').slice(0, 40) || 'option'
  let id = base
  for (let number = 2; taken.has(id); number++) id = `${base}_${number}`
  return id
}

/** Returns choices with these labels, and ids made from them. */
export const choicesOf = (labels: readonly string[]): Choice[] => withLabels([], 0, labels)

/** The options of a yes-or-no question. */
export const YES_NO = choicesOf(['Yes', 'No'])

/** Whether `idFor` returns this id for a label, with a number if others are taken. */
const isMadeFrom = (label: string, id: string): boolean =>
  [id, id.replace(/_\d+$/, '')].includes(idFor(label, new Set()))

/**
 * Returns the choices with one for each of these labels in place of the one at `at`. The first takes its id if that was saved,
 * so that the answers given so far still name it, was not made from its label, or has the same label. All others get ids from their labels.
 *
 * @param saved The choices of the question as last saved.
 */
export function withLabels(
  choices: readonly Choice[],
  at: number,
  labels: readonly string[],
  saved: readonly Choice[] = [],
): Choice[] {
  const replaced = choices[at]
  const isKept =
    replaced &&
    (labels[0] === replaced.label ||
      saved.some(({ id }) => id === replaced.id) ||
      !isMadeFrom(replaced.label, replaced.id))
  const taken = new Set(replacedAt(choices, at, []).map(({ id }) => id))
  const changed = labels.map((label, index) => {
    const id = index === 0 && isKept ? replaced.id : idFor(label, taken)
    taken.add(id)
    return { id, label }
  })
  return [...replacedAt(choices, at, changed)]
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
export const newQuestion = (type: KnownQuestionType, questions: readonly EditedQuestion[]): EditedQuestion =>
  withType({ id: freeId(questions), type, title: typeName(type) }, type)

const FIRST_CHOICES = {
  options: choicesOf(['Option 1', 'Option 2', 'Option 3']),
  rows: choicesOf(['Row 1', 'Row 2']),
  columns: choicesOf(['Column 1', 'Column 2', 'Column 3']),
}

/** Returns the question with another type, with the parts that this type needs and without those that it does not have. */
export function withType(question: EditedQuestion, type: KnownQuestionType): EditedQuestion {
  const { id, title, required, show_if: showIf, allow_other: other } = question
  const parts = partsOf({ type })
  const choices = (part: 'options' | 'rows' | 'columns') =>
    question[part]?.length ? question[part] : FIRST_CHOICES[part]
  return {
    ...(id !== undefined && { id }),
    type,
    title,
    ...(required !== undefined && { required }),
    ...(parts.options && { options: choices('options') }),
    ...(parts.other && other !== undefined && { allow_other: other }),
    ...(parts.grid && { rows: choices('rows'), columns: choices('columns') }),
    ...(showIf !== undefined && { show_if: showIf }),
  }
}

function freeId(questions: readonly EditedQuestion[]): string {
  const taken = new Set(questions.map(({ id }, index) => id ?? `q${index + 1}`))
  let number = questions.length + 1
  while (taken.has(`q${number}`)) number++
  return `q${number}`
}

/** Returns the list with an item moved to another place; the same list beyond its ends. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  if (to < 0 || to >= items.length) return items
  const copy = [...items]
  copy.splice(to, 0, ...copy.splice(from, 1))
  return copy
}

/** Returns the list with other items in place of the one at `at`. */
export function replacedAt<Item>(items: readonly Item[], at: number, by: readonly Item[]): readonly Item[] {
  return [...items.slice(0, at), ...by, ...items.slice(at + 1)]
}
