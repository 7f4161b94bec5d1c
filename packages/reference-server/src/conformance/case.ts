import type { Form } from '@formwire/contract'
import type { UnspecifiedKey } from '../unspecified.ts'
import type { Probe } from './probe.ts'

/** What a case may use of the run. */
export interface CaseContext {
  readonly probe: Probe
  /** The form that the run was pointed at, as it was when the run began. */
  readonly form: Form
  readonly options: CaseOptions
}

/** What the caller of a run allows and provides. */
interface CaseOptions {
  /** A read-only key of the same workspace, for AUTH-03. */
  readonly readKey?: string | undefined
  /** Id of a form in another workspace, for AUTH-12. */
  readonly foreignFormId?: string | undefined
  /** Id of a response that may be deleted for good, for RESP-04. */
  readonly expendableResponseId?: number | undefined
  /** Whether the form may be left closed, for FORM-08 past its end date. */
  readonly expendableForm: boolean
  /** Address to register as an endpoint; it need not answer. */
  readonly webhookUrl: string
  /** Whether the address rules of production are to hold (HOOK-04). */
  readonly addressRules: 'production' | 'development'
}

/** A rule that has to hold. */
export interface RuleCase {
  readonly rules: readonly string[]
  readonly title: string
  /** Needs a write key, and changes the form for a moment. */
  readonly writes?: true
  /** Uses up a rate limit: other clients of the key or the address are refused for a minute. */
  readonly exhausts?: true
  /** Throws `Broken` when the rule does not hold, `Skipped` when it cannot be judged here. */
  readonly run: (context: CaseContext) => Promise<void>
}

/** A behaviour that the service document leaves open: what does this deployment do? */
export interface Observation {
  readonly key: UnspecifiedKey
  readonly rules: readonly string[]
  readonly title: string
  readonly writes?: true
  readonly exhausts?: true
  /** A value of the key. Throws `Skipped` when it cannot be seen here, `Broken` when it is none of the values. */
  readonly run: (context: CaseContext) => Promise<string>
}

/** The rule does not hold; the message says what came instead. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

/** The case cannot be judged on this deployment; the message says what it would need. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}

export const rule = (
  rules: string | readonly string[],
  title: string,
  run: RuleCase['run'],
  needs: Pick<RuleCase, 'writes' | 'exhausts'> = {},
): RuleCase => ({ rules: [rules].flat(), title, run, ...needs })
