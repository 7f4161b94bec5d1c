import type { ChoiceValue } from '@formwire/contract'
import { isObject, isObjectOrArray } from '@formwire/internal/json'
import type { Seed } from '../../seed/format.ts'
import { labelsText } from '../labels.ts'
import type { PulledAnswer, PulledForm, PulledOwner, PulledResponse } from '../lines.ts'
import { MAX_DEPTH } from '../scrub/pseudonyms.ts'
import { isIrregular, isOtherText, isPersonal, isTechnical } from '../scrub/scrubber.ts'
import type { FormTally } from '../tally.ts'
import { MIN_LENGTH, TextIndex } from './text-index.ts'

/** Where an original text that is still in a seed comes from. Never the text. */
export interface SeedLeak {
  /** `null` for the user and the workspace of the key. */
  form: string | null
  /** `null` for the user and the workspace of the key, and for endpoints. */
  response: number | null
  /** Id of the question of the original, `email`, a member of `meta`, `user.name`, `user.email`, `workspace.name` or `webhook.url`. */
  question: string | null
}

/** Leaks that are reported, at most. */
const MAX_LEAKS = 10_000
/** Places where texts that are in the seed come from, besides one of each text. */
const MAX_PLACES = 100_000
/** Texts that the service shows. */
const MAX_SHOWN = 1_000_000
/** Texts of the seed that are known to repeat. */
const MAX_TEXTS = 100_000
const MAX_REPEATED_LENGTH = 100

/** Searches a whole seed for original texts of its service. */
export class LeakSearch {
  readonly #seed: Seed
  readonly #index: TextIndex
  readonly #kept: ReadonlySet<string>
  /** Texts that the service shows as titles, labels and values that are no personal data. */
  readonly #shown = new Set<string>()
  /** Texts that are in the seed, folded, and where they come from: at least one place of each. */
  readonly #candidates = new Map<string, SeedLeak[]>()
  #places = 0

  constructor(seed: Seed) {
    this.#seed = seed
    this.#index = new TextIndex(textsOf(seed))
    this.#kept = new Set(seed.source?.kept)
    this.#show(seed.source?.base_url)
  }

  owner({ user, workspace }: PulledOwner): void {
    this.#search({ form: null, response: null, question: 'user.name' }, user.name)
    this.#search({ form: null, response: null, question: 'user.email' }, user.email)
    this.#search({ form: null, response: null, question: 'workspace.name' }, workspace.name)
  }

  endpoint(form: string, url: string): void {
    this.#search({ form, response: null, question: 'webhook.url' }, url)
  }

  row(form: string, row: PulledResponse): void {
    for (const [name, value] of Object.entries(row.meta ?? {}))
      if (isTechnical(name, value)) this.#show(value)
    for (const answer of row.answers) this.#answer(answer)
    for (const { question, text } of personalTexts(row)) {
      // The email address of a response repeats the answer to a question.
      if (this.#kept.has(`${form}.${question}`)) this.#show(text)
      else this.#search({ form, response: row.id, question }, text)
    }
  }

  /** Takes what a form shows to everyone. */
  form({ id, slug, title }: PulledForm, tally: FormTally): void {
    for (const text of [id, slug, title]) this.#show(text)
    for (const { question } of tally.questions().values()) {
      this.#show(question.id)
      for (const choices of [question.options, question.rows, question.columns])
        for (const choice of choices ?? []) for (const text of [choice.id, choice.label]) this.#show(text)
    }
  }

  leaks(): SeedLeak[] {
    const index = new TextIndex(textsOf(this.#seed, this.#shown))
    const byPlace = new Map<string, SeedLeak>()
    for (const [text, places] of this.#candidates) {
      if (this.#shown.has(text) || !index.contains(text)) continue
      for (const leak of places) if (byPlace.size < MAX_LEAKS) byPlace.set(placeOf(leak), leak)
    }
    return [...byPlace.values()]
  }

  /** Answers of other types stay as they are, but for the other text. */
  #answer({ title, type, value, text }: PulledAnswer): void {
    this.#show(title)
    if (isPersonal(type)) return
    if (typeof value === 'string') this.#show(value)
    const labels =
      text !== undefined && isObject(value) && 'other' in value
        ? labelsText(value as unknown as ChoiceValue, text)
        : text
    this.#show(labels)
  }

  /** Shorter texts are not searched for. */
  #show(text: unknown): void {
    if (typeof text !== 'string' || this.#shown.size >= MAX_SHOWN) return
    const shown = folded(text)
    if (shown.length >= MIN_LENGTH) this.#shown.add(shown)
  }

  #search(leak: SeedLeak, text: string): void {
    const wanted = folded(text)
    const places = this.#candidates.get(wanted)
    if (!places) {
      // Few, unless the seed is not scrubbed.
      if (!this.#shown.has(wanted) && this.#index.contains(wanted)) this.#candidates.set(wanted, [leak])
    } else if (this.#places < MAX_PLACES) {
      places.push(leak)
      this.#places += 1
    }
  }
}

const placeOf = ({ form, response, question }: SeedLeak): string => `${form} ${response} ${question}`

const folded = (text: string): string => text.trim().toLowerCase()

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Words of the seed format of eight characters or more, which say nothing about anybody. */
const FORMAT = new Set(
  [
    'base_url pulled_at scrubbed workspaces created_at updated_at published_title response_limit opens_at',
    'closes_at response_count questions responses webhooks question question_id required allow_other',
    'show_if started_at submitted_at duration_sec max_score built_in',
    'business published submitted in_progress short_text long_text single_choice multiple_choice dropdown',
    'grid_single grid_multiple signature',
  ].flatMap((words) => words.split(' ')),
)

/** Yields every text and every name of a member in a value, but for timestamps, words of the format and texts that are `shown`. */
function* textsOf(value: unknown, shown: ReadonlySet<string> = new Set()): Generator<string> {
  const left = [value]
  const seen = new Set<string>()
  const isNew = (text: string): boolean => {
    if (FORMAT.has(text) || TIMESTAMP.test(text) || shown.has(folded(text)) || seen.has(text)) return false
    if (text.length <= MAX_REPEATED_LENGTH && seen.size < MAX_TEXTS) seen.add(text)
    return true
  }
  while (left.length > 0) {
    const item = left.pop()
    if (typeof item === 'string') {
      if (isNew(item)) yield item
    } else if (isObjectOrArray(item)) {
      for (const [name, member] of Object.entries(item)) {
        if (!Array.isArray(item) && isNew(name)) yield name
        left.push(member)
      }
    }
  }
}

/** A text, and where it is: the id of a question, `email`, or a member of `meta`. */
interface PersonalText {
  readonly question: string
  readonly text: string
}

/** Yields every text of a response that scrubbing replaces. */
function* personalTexts({ email, meta = {}, answers }: PulledResponse): Generator<PersonalText> {
  if (email) yield { question: 'email', text: email }
  for (const [name, value] of Object.entries(meta)) {
    if (isTechnical(name, value)) continue
    for (const text of textsIn(value)) yield { question: `meta.${name}`, text }
  }
  for (const { question_id: question, type, value, text } of answers) {
    if (isPersonal(type) || isIrregular(type, value)) {
      for (const one of textsIn(value)) yield { question, text: one }
      if (text !== undefined && typeof value !== 'string') yield { question, text }
    } else if (isOtherText(value)) yield { question, text: value.other }
  }
}

function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') yield value
  else if (isObjectOrArray(value) && depth < MAX_DEPTH)
    for (const member of Object.values(value)) yield* textsIn(member, depth + 1)
}
