import type { BuilderForm, Choice } from '@formwire/contract/control'
import { CallError, call, formPath, get } from '../../api.ts'
import { openForm } from '../../ui/dialog.tsx'
import { contentOf, type Draft } from './drafts.ts'
import { type Clash, changesOf, merge, type Part } from './merge.ts'
import { type EditedForm, type EditedQuestion, typeName } from './model.ts'

/** How often edits are merged into a form that changes each time before they are saved. */
const MERGES_MAX = 5

/**
 * Saves edits. Only what was edited is sent, so that what was changed elsewhere since stays; where the same was edited, the
 * person chooses a version. Resolves with `undefined` if that was dismissed.
 *
 * @param onMerge Called with edits that were merged with a newer form, and whether that has other content: publishing changes none.
 * @throws CallError
 */
export async function saveEdits(
  { base, edited }: Draft,
  onMerge: (merged: Draft, hasChanged: boolean) => void = () => {},
): Promise<BuilderForm | undefined> {
  const path = formPath(base.id)
  for (let merges = 0; ; merges += 1) {
    try {
      return await call('PATCH', path, { ...changesOf(base, edited), revision: base.revision })
    } catch (cause) {
      if (!(cause instanceof CallError) || cause.status !== 409 || merges === MERGES_MAX) throw cause
    }
    const newer = await get<BuilderForm>(path)
    const { clashes } = merge(base, edited, newer)
    const taken = clashes.length === 0 ? [] : await keysOfTaken(clashes, newer)
    if (taken === undefined) return undefined
    edited = merge(base, edited, newer, new Set(taken)).form
    const hasChanged = Object.keys(changesOf(base, contentOf(newer))).length > 0
    base = newer
    onMerge({ base, edited }, hasChanged)
  }
}

/** Asks which versions to keep. Returns the keys of the clashes of which the other version is taken. */
const keysOfTaken = (clashes: readonly Clash[], { questions }: EditedForm): Promise<string[] | undefined> =>
  openForm(
    'Changed elsewhere, too',
    'Save',
    async (values) => clashes.filter(({ key }) => values.get(key) === 'theirs').map(({ key }) => key),
    <>
      <p>Someone changed the form while you edited it. Choose what to keep.</p>
      {clashes.map(({ key, mine, theirs }) => (
        <fieldset key={key} class="box stack">
          <legend>{nameOf(key, mine ?? theirs)}</legend>
          {(['mine', 'theirs'] as const).map((side) => (
            <label key={side} class="check">
              <input type="radio" name={key} value={side} required />
              {side === 'mine' ? 'Yours' : 'Theirs'}:{' '}
              <bdi>{side === 'mine' ? textOf(mine, theirs, questions) : textOf(theirs, mine, questions)}</bdi>
            </label>
          ))}
        </fieldset>
      ))}
    </>,
  )

const isQuestion = (part: Part): part is EditedQuestion =>
  typeof part === 'object' && part !== null && !Array.isArray(part)

const nameOf = (key: string, part: Part): string =>
  isQuestion(part) ? `Question “${part.title}”` : key === 'order' ? 'Order of the questions' : `The ${key}`

/** Returns what distinguishes a version of a part from the other one. */
function textOf(part: Part, other: Part, questions: readonly EditedQuestion[]): string {
  if (part === undefined) return 'removed'
  if (part === null || typeof part === 'string') return part ?? 'none'
  if (!isQuestion(part)) return part.map((id) => questions.find((one) => one.id === id)?.title).join(', ')
  const differing = Object.entries(part).filter(
    ([name, value]) =>
      name !== 'title' && JSON.stringify(value) !== JSON.stringify(isQuestion(other) && other[name as never]),
  )
  return [
    part.title,
    ...differing.map(([name, value]) => `${name.replace('_', ' ')}: ${valueText(name, value)}`),
  ].join('; ')
}

function valueText(name: string, value: unknown): string {
  if (name === 'type') return typeName(String(value))
  if (Array.isArray(value)) return (value as Choice[]).map(({ label }) => label).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.values(value ?? {}).join(' = ')
}
