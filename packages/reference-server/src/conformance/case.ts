import type { Form } from '@formwire/contract'
import type { UnspecifiedKey } from '../unspecified.ts'
import type { Probe } from './probe.ts'

/** What a run passes to each case. */
export interface CaseContext {
  readonly probe: Probe
  /** The form under test, as it was when the run began. */
  readonly form: Form
  readonly options: CaseOptions
}

/** What the caller of a run allows and provides. */
interface CaseOptions {
  /** Read-only key of the same workspace, for AUTH-03. */
  readonly readKey?: string | undefined
  /** Id of a form in another workspace, for AUTH-12. */
  readonly foreignFormId?: string | undefined
  /** Id of a response that may be permanently deleted, for RESP-04. */
  readonly expendableResponseId?: number | undefined
  /** Whether the form may be left closed, for FORM-08 past its end date. */
  readonly expendableForm: boolean
  /** Endpoint URL to register. Nothing has to listen there. */
  readonly webhookUrl: string
  /** Which address rules must hold (HOOK-04). */
  readonly addressRules: 'production' | 'development'
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
export interface Observation {
  readonly key: UnspecifiedKey
  readonly rules: readonly string[]
  readonly title: string
  readonly writes?: true
  readonly exhausts?: true
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
