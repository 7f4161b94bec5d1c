import type { Form } from '@formwire/contract'
import type { UnspecifiedKey } from '../unspecified.ts'
import type { Probe } from './probe.ts'
import type { CaseResult } from './report.ts'

/** What a run passes to each case. */
export interface CaseContext {
  readonly probe: Probe
  /** The form under test, as it was when the run began. */
  readonly form: Form
  readonly options: CaseOptions
}

/** What the caller of a run allows and provides. */
type CaseOptions = Readonly<Pick<ConformanceOptions, 'readKey' | 'foreignFormId' | 'expendableResponseId'>> &
  Resolved<Pick<ConformanceOptions, 'expendableForm' | 'webhookUrl' | 'addressRules'>>

type Resolved<Options> = { readonly [Name in keyof Options]-?: Exclude<Options[Name], undefined> }

export interface ConformanceOptions {
  /** Root URL of the deployment, without `/api/v1`. */
  baseUrl: string
  /** Key of the workspace under test; `write` needs a write key. Never included in a report. */
  apiKey: string
  /** Id of the form to test. With `write`, it is renamed, closed and reopened, and then restored. */
  formId: string
  /** Runs the cases that temporarily change the form and its endpoints. @default false */
  write?: boolean | undefined
  /** Runs the cases that use up a rate limit for a minute. @default false */
  exhaust?: boolean | undefined
  /** Read-only key of the same workspace. Without it, AUTH-03 is skipped. */
  readKey?: string | undefined
  /** Id of a form in another workspace. Without it, AUTH-12 is skipped. */
  foreignFormId?: string | undefined
  /** With `write`: id of a response to delete permanently. Without it, RESP-04 is skipped. */
  expendableResponseId?: number | undefined
  /** With `write`: allows the form to be left closed. Otherwise a form past its end date is not closed. @default false */
  expendableForm?: boolean | undefined
  /**
   * Endpoint URL to register and remove again. Cases that need an endpoint are skipped if the deployment refuses it, for
   * example because the host does not resolve. @default 'https://example.com/formwire-conformance'
   */
  webhookUrl?: string | undefined
  /** Which address rules must hold. @default 'development' on loopback, else 'production' */
  addressRules?: 'production' | 'development' | undefined
  /** Runs only the cases of these rules, such as `['FORM-05']`. @default all rules */
  rules?: readonly string[] | undefined
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined
  /** Ignored, so that the `clientOptions` of a test kit can be passed. A run waits after a 429 instead. */
  rateLimit?: false | undefined
  /** Waits after a 429, in milliseconds. @default real time */
  wait?: ((milliseconds: number) => Promise<void>) | undefined
  /** Called with each result as soon as it is known. */
  onResult?: ((result: CaseResult) => void) | undefined
}

/** A case that proves rules. */
export interface RuleCase {
  readonly rules: readonly string[]
  readonly title: string
  /** Needs a write key, and temporarily changes the form. */
  readonly writes?: true
  /** Uses up a rate limit: for a minute, other clients with the same key or IP address are refused. */
  readonly exhausts?: true
  /** Throws `RuleViolation` when the rule does not hold, and `CaseSkipped` when this deployment does not allow the check. */
  readonly run: (context: CaseContext) => Promise<void>
}

/** An unspecified behaviour: finds out what this deployment does. */
export interface Observation extends Omit<RuleCase, 'run'> {
  readonly key: UnspecifiedKey
  /** Returns a value of the key. Throws `CaseSkipped` when it cannot be observed here, and `RuleViolation` when it is not a known value. */
  readonly run: (context: CaseContext) => Promise<string>
}

/** The rule does not hold. The message contains what the deployment did. */
export class RuleViolation extends Error {
  override readonly name = 'RuleViolation'
}

/** The case cannot run against this deployment. The message contains what it needs. */
export class CaseSkipped extends Error {
  override readonly name = 'CaseSkipped'
}

/** Creates a case that only reads. */
export const rule = (rules: string | readonly string[], title: string, run: RuleCase['run']): RuleCase => ({
  rules: [rules].flat(),
  title,
  run,
})

export const writingRule = (...args: Parameters<typeof rule>): RuleCase => ({
  ...rule(...args),
  writes: true,
})
