import type { AddressValue, ChoiceValue, KnownQuestionType, UploadedFile } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'
import { isKnownType } from '../../seed/recorded.ts'
import type { PulledAnswer, PulledOwner, PulledResponse } from '../lines.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** What personal data is replaced: see the page about scrubbing. */
export type ScrubMode = 'normal' | 'strict' | false

/** Which questions are treated otherwise, as `FORM.QUESTION`. */
export interface Exceptions {
  readonly keep: ReadonlySet<string>
  readonly replace: ReadonlySet<string>
}

/** What is done with the answers to a question: `drawn` ones are replaced at random once the questions of the form are known. */
export type Treatment = 'kept' | 'replaced' | 'drawn'

/** Members of `meta` that are facts about the program that the respondent used. */
const TECHNICAL_META: ReadonlySet<string> = new Set(['device', 'browser', 'os'])
/** Names of devices, browsers and systems are short; a longer text may be anything. */
const MAX_TECHNICAL = 40

/** Whether a member of `meta` is no personal data. */
export const isTechnical = (name: string, value: unknown): boolean =>
  TECHNICAL_META.has(name) && typeof value === 'string' && value.length <= MAX_TECHNICAL

const SHAPES: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:?\d{2})?$/,
}

/** Whether a value or text of an answer to a question about a date or time is neither, and so may be anything. */
export const isIrregular = (type: string, text: unknown): boolean =>
  typeof text === 'string' && SHAPES[type]?.test(text) === false

type Replace = (value: never, by: Pseudonyms) => unknown

const asText: Replace = (value: string, by) => by.text(value)
const files: Replace = (value: UploadedFile[], by) => value.map((file) => by.file(file))

/** Types whose answers are personal, and how they are replaced. Of the others, the other text of choices and irregular dates and times are. */
const PERSONAL: Partial<Record<KnownQuestionType, Replace>> = {
  short_text: asText,
  long_text: asText,
  email: (value: string, by) => by.email(value),
  url: (value: string, by) => by.url(value),
  phone: (value: string, by) => by.phone(value),
  file: files,
  signature: files,
  address: (value: AddressValue, by) => by.address(value),
}

/** Whether the answers of a type are personal. Those of unknown types may be. */
export const isPersonal = (type: string): boolean => !isKnownType(type) || PERSONAL[type] !== undefined

/** Replaces personal data in responses as they are read. */
export class Scrubber {
  readonly #mode: ScrubMode
  readonly #by: Pseudonyms
  readonly #exceptions: Exceptions

  constructor(mode: ScrubMode, by: Pseudonyms, exceptions: Exceptions) {
    this.#mode = mode
    this.#by = by
    this.#exceptions = exceptions
  }

  /** What is done with the answers of a type to a question. */
  treatment(formId: string, questionId: string, type: string): Treatment {
    const name = `${formId}.${questionId}`
    if (this.#mode === false || this.#exceptions.keep.has(name)) return 'kept'
    if (isPersonal(type)) return 'replaced'
    return this.#mode === 'strict' || this.#exceptions.replace.has(name) ? 'drawn' : 'kept'
  }

  /** Replaces the name and the email address of the key's user. */
  owner(owner: PulledOwner): PulledOwner {
    if (this.#mode === false) return owner
    const { user, workspace } = owner
    const email = this.#by.email(user.email)
    return {
      user: { ...user, name: this.#by.text(user.name), email },
      workspace: {
        ...workspace,
        name: this.#by.text(workspace.name),
        members: workspace.members.map((member) => ({ ...member, user: email })),
      },
    }
  }

  /** The URL of an endpoint, whose path or query may be a secret. */
  endpointUrl(url: string): string {
    return this.#mode === false ? url : this.#by.url(url)
  }

  /** Replaces personal data in place. */
  scrub(formId: string, row: PulledResponse): void {
    if (this.#mode === false) return
    if (typeof row.email === 'string') row.email = this.#by.email(row.email)
    row.meta = this.#meta(row.meta ?? {})
    for (const answer of row.answers) this.#answer(formId, answer)
  }

  #meta(meta: Record<string, unknown>): Record<string, unknown> {
    return this.#by.members(meta, (name, value) => {
      if (TECHNICAL_META.has(name) && this.#mode === 'strict') return null
      if (isTechnical(name, value)) return value
      return name === 'ref' && typeof value === 'string' ? this.#by.url(value) : this.#by.anything(value)
    })
  }

  #answer(formId: string, answer: PulledAnswer): void {
    const { question_id: id, type } = answer
    if (this.#exceptions.keep.has(`${formId}.${id}`)) return
    const value = answer.value as unknown
    if (isPersonal(type) || isIrregular(type, value)) this.#personal(answer)
    else if (isOtherText(value)) this.#other(answer, value)
    else if (isIrregular(type, answer.text)) delete answer.text
  }

  #personal(answer: PulledAnswer): void {
    const { type, value } = answer
    const replace = isKnownType(type) ? PERSONAL[type] : undefined
    answer.value = (replace ? replace(value as never, this.#by) : this.#by.anything(value)) as never
    if (replace === undefined) answer.text = this.#by.text(answer.text ?? '')
    else if (typeof answer.value === 'string') answer.text = answer.value
    else delete answer.text
  }

  /** Labels stay. */
  #other(answer: PulledAnswer, value: ChoiceValue & { other: string }): void {
    const other = this.#by.text(value.other)
    answer.value = { ids: value.ids, other }
    const { text } = answer
    if (text?.endsWith(value.other)) answer.text = text.slice(0, text.length - value.other.length) + other
    else delete answer.text
  }
}

/** Whether a value is a choice with another text. */
export const isOtherText = (value: unknown): value is ChoiceValue & { other: string } =>
  isObject(value) && Array.isArray(value.ids) && typeof value.other === 'string'
