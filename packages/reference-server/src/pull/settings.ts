import { randomBytes } from 'node:crypto'
import { parseInstant } from '../domain/instant.ts'
import { quote } from '../known-names.ts'
import { PullError } from './pull-error.ts'
import type { Exceptions, ScrubMode } from './scrub/scrubber.ts'

/** What to pull, and how to scrub it. */
export interface PullOptions {
  /** Root URL of the service, which the seed names as its source. */
  baseUrl: string
  /** Ids of the forms. @default 'all' */
  forms?: readonly string[] | 'all' | undefined
  /** Whether one form that is not found is an error, instead of being reported as missing. @default false */
  requireForms?: boolean | undefined
  /** Only responses submitted (drafts: last saved) at or after this ISO 8601 time. @default all */
  since?: string | undefined
  /** The newest submitted responses of each form, at most; with `drafts`, also the newest drafts of each form, at most. @default all */
  limit?: number | undefined
  /** Also pulls saved drafts. @default false */
  drafts?: boolean | undefined
  /** Also pulls webhook endpoints: URL and state, never a secret. @default false */
  endpoints?: boolean | undefined
  /**
   * Replaces personal data. `strict` also replaces choices, numbers, dates and times of answers; `false` replaces nothing.
   * @default 'normal'
   */
  scrub?: ScrubMode | undefined
  /** Questions whose answers are kept, as `FORM.QUESTION`. @default [] */
  keep?: readonly string[] | undefined
  /** Questions whose answers are replaced although their type is not, as `FORM.QUESTION`. @default [] */
  replace?: readonly string[] | undefined
  /** Key of the pseudonyms, at least 16 bytes: with the same key, a value has the same pseudonym in every pull. @default random */
  key?: Uint8Array | undefined
  /** Milliseconds that all times are moved by. @default 0 */
  shiftMs?: number | undefined
  /** Stops the pull. */
  signal?: AbortSignal | undefined
  /** Milliseconds since the epoch. @default the system clock */
  now?: (() => number) | undefined
  /** Returns what messages call an option. @default its name */
  nameOfOption?: ((option: NamedOption) => string) | undefined
  /** Called once the number of responses to read is known, those of an earlier run included, and then with each page. */
  onProgress?: ((progress: { read: number; total: number }) => void) | undefined
}

/** Options that a program may give another name, such as a flag of its command line. */
type NamedOption = 'keep' | 'replace' | 'shiftMs'

/** Options that have a default. */
type Resolved = Omit<PullOptions, 'since' | 'keep' | 'replace' | 'signal'>

/** Options with their defaults. */
export interface PullSettings
  extends Exceptions,
    Readonly<{ [Name in keyof Resolved]-?: Exclude<Resolved[Name], undefined> }> {
  readonly since: string | undefined
  readonly signal: AbortSignal | undefined
  /** Whether no more of a form needs to be read. Asked after each page. */
  readonly isEnough: (formId: string, status: 'submitted' | 'in_progress') => boolean
}

const MIN_KEY_BYTES = 16
const HUNDRED_YEARS_MS = 100 * 365 * 86_400_000
const QUESTION_NAME = /^[^.]+\..+$/s

/** @throws PullError code "pull_option" for a question to keep or replace whose form is not one of those that are pulled */
export function refuseOtherForms(
  {
    nameOfOption,
    ...options
  }: Record<'keep' | 'replace', Iterable<string>> & Pick<PullSettings, 'nameOfOption'>,
  forms: ReadonlySet<string>,
): void {
  for (const option of ['keep', 'replace'] as const)
    for (const name of options[option]) {
      const form = name.slice(0, name.indexOf('.'))
      if (!forms.has(form))
        throw new PullError(
          'pull_option',
          `${nameOfOption(option)}: "${name}" is of form ${form}, which is not pulled`,
        )
    }
}

/** @throws PullError code "pull_option" */
export function resolvePullOptions(options: PullOptions): PullSettings {
  const { forms = 'all', since, limit = Number.POSITIVE_INFINITY, scrub = 'normal', shiftMs = 0 } = options
  const { keep = [], replace = [], key = randomBytes(32), nameOfOption = (option) => option } = options
  const refuse = (message: string): never => {
    throw new PullError('pull_option', message)
  }
  if (forms !== 'all' && !Array.isArray(forms)) refuse('forms must be "all" or an array of form ids')
  if (forms !== 'all' && forms.length === 0) refuse('forms must name at least one form')
  if (since !== undefined && (typeof since !== 'string' || parseInstant(since) === undefined))
    refuse(`since must be an ISO 8601 time, got ${quote(since)}`)
  if (!(limit === Number.POSITIVE_INFINITY || (Number.isSafeInteger(limit) && limit > 0)))
    refuse(`limit must be a positive integer, got ${quote(limit)}`)
  if (scrub !== false && scrub !== 'normal' && scrub !== 'strict')
    refuse(`scrub must be "normal", "strict" or false, got ${quote(scrub)}`)
  if (key.length < MIN_KEY_BYTES) refuse(`key must have at least ${MIN_KEY_BYTES} bytes`)
  if (typeof shiftMs !== 'number')
    refuse(`${nameOfOption('shiftMs')} must be a number, got ${quote(shiftMs)}`)
  if (!(Math.abs(shiftMs) <= HUNDRED_YEARS_MS)) refuse(`${nameOfOption('shiftMs')} must be at most 100 years`)
  for (const [option, names] of [
    ['keep', keep],
    ['replace', replace],
  ] as const) {
    const name = nameOfOption(option)
    if (!Array.isArray(names)) refuse(`${name} must be an array of FORM.QUESTION, got ${quote(names)}`)
    const unclear = names.find((question) => !QUESTION_NAME.test(question))
    if (unclear !== undefined) refuse(`${name} must name a question as FORM.QUESTION, got ${quote(unclear)}`)
  }
  if (scrub === false && keep.length + replace.length > 0) refuse('keep and replace require scrubbing')
  // A misspelt form would be treated as if it was not named.
  if (forms !== 'all') refuseOtherForms({ keep, replace, nameOfOption }, new Set(forms))
  const both = keep.find((name) => replace.includes(name))
  if (both !== undefined) refuse(`keep and replace both name "${both}"`)
  return {
    baseUrl: options.baseUrl,
    forms: forms === 'all' ? forms : [...new Set(forms)],
    requireForms: options.requireForms ?? false,
    since,
    limit,
    drafts: options.drafts ?? false,
    endpoints: options.endpoints ?? false,
    scrub,
    keep: new Set(keep),
    replace: new Set(replace),
    key,
    shiftMs,
    signal: options.signal,
    now: options.now ?? Date.now,
    nameOfOption,
    onProgress: options.onProgress ?? (() => undefined),
    isEnough: () => false,
  }
}
