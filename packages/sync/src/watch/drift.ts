import type { Form, KnownFormStatus } from '@formwire/contract'
import type { DriftState } from '../store/drift-state.ts'
import { KnownQuestions, type QuestionChange } from './questions.ts'

/** Why a form stopped. */
export type FormStop =
  | 'closed'
  | 'archived'
  /** It is a draft again. */
  | 'unpublished'
  /** It was trashed, or the key lost access to it: the service reports both alike (AUTH-12). */
  | 'trashed'

/**
 * A change of a form that programs which read its rows may have to know. A question is `question_added` with its first answer,
 * `question_changed` with the first answer of another type, and `question_removed` when so many responses in a row leave it out that it
 * cannot be chance: the service does not list questions, and leaves out skipped ones (RESP-06).
 */
export type Drift = { formId: string } & (QuestionChange | { kind: 'form_stopped'; reason: FormStop })

/** Responses of a form that are looked at after each of its rounds, the newest ones. */
const MAX_RESPONSES = 500

/** Compares forms and answers with what was stored of them, and reports each change once, in whichever process finds it. */
export class DriftWatch {
  readonly #state: () => DriftState
  readonly #onDrift: (drift: Drift) => void

  constructor(state: () => DriftState, onDrift: (drift: Drift) => void) {
    this.#state = state
    this.#onDrift = onDrift
  }

  /** Compares forms that were read. */
  async forms(forms: readonly Form[], chosen: readonly string[] | 'all'): Promise<void> {
    const stored = await this.#state().forms()
    for (const form of forms) {
      const now = stateOf(form)
      if (now !== undefined && stored.get(form.id)?.state !== now) await this.#moved(form.id, now)
      stored.delete(form.id)
    }
    for (const [id, { state, isLost }] of stored)
      if (isLost && state !== 'trashed' && (chosen === 'all' || chosen.includes(id))) await this.lost(id)
  }

  /** Records that a form is lost. */
  lost(formId: string): Promise<void> {
    return this.#moved(formId, 'trashed')
  }

  async #moved(formId: string, now: FormStop | 'open'): Promise<void> {
    const before = await this.#state().moveForm(formId, now)
    if (before === undefined || before === now || now === 'open') return
    if (before === 'open' || now === 'trashed') this.#onDrift({ kind: 'form_stopped', formId, reason: now })
  }

  /** Compares the answers of a form that were written since the last time. The first ones are what later ones are compared with. */
  async questions(formId: string): Promise<void> {
    const state = this.#state()
    const before = await state.questions(formId)
    const known = new KnownQuestions(before)
    const responses = await state.answersAfter(formId, known.at, MAX_RESPONSES)
    if (before !== undefined && responses.length === 0) return
    const isFirst = known.isEmpty
    const changes: QuestionChange[] = []
    for (const { key, answers } of responses) {
      changes.push(...known.add(answers))
      known.at = key
    }
    const isOurs = await state.setQuestions(formId, before, known.toString())
    if (isFirst || !isOurs) return
    for (const change of changes) this.#onDrift({ formId, ...change })
  }
}

/** A status that was added later is left alone (ENV-04). */
function stateOf({ status, published }: Form): FormStop | 'open' | undefined {
  switch (status as KnownFormStatus) {
    case 'published':
      return published === false ? 'unpublished' : 'open'
    case 'draft':
      return 'unpublished'
    case 'closed':
      return 'closed'
    case 'archived':
      return 'archived'
  }
}
