import { setTimeout as sleep } from 'node:timers/promises'
import type { Form } from '@formwire/contract'
import { UNSPECIFIED, type Unspecified } from '../unspecified.ts'
import { Broken, type CaseContext, type Observation, type RuleCase, Skipped } from './case.ts'
import { authenticationCases } from './cases/authentication.ts'
import { envelopeCases } from './cases/envelopes.ts'
import { formChangeCases } from './cases/form-changes.ts'
import { formCases } from './cases/forms.ts'
import { responseCases } from './cases/responses.ts'
import { webhookCases } from './cases/webhooks.ts'
import { observations } from './observations.ts'
import { Probe } from './probe.ts'
import { type CaseResult, type ConformanceReport, totalsOf } from './report.ts'

/** Every rule that the public API alone can prove. */
export const RULE_CASES: readonly RuleCase[] = [
  ...envelopeCases,
  ...authenticationCases,
  ...formCases,
  ...responseCases,
  ...formChangeCases,
  ...webhookCases,
]

/** Every behaviour that the document leaves open. */
export const OBSERVATIONS: readonly Observation[] = observations

export interface ConformanceOptions {
  /** Root of the deployment, without `/api/v1`. */
  baseUrl: string
  /** A key of the workspace under test; with `write` a write key. It is in no report. */
  apiKey: string
  /** The form to look at; with `write` it is renamed, closed and reopened, and put back as it was. */
  formId: string
  /** Runs the cases that change the form and its endpoints for a moment. @default false */
  write?: boolean
  /** Runs the cases that use up a rate limit for a minute. @default false */
  exhaust?: boolean
  /** A read-only key of the same workspace: without it AUTH-03 is skipped. */
  readKey?: string
  /** Id of a form in another workspace: without it AUTH-12 is skipped. */
  foreignFormId?: string
  /** With `write`: id of a response to delete for good. Without it RESP-04 is skipped. */
  expendableResponseId?: number
  /** With `write`: the form may be left closed. Without it a form past its end date is not closed. @default false */
  expendableForm?: boolean
  /**
   * Address to register as an endpoint, removed again. Where the deployment refuses it, because its DNS does not know
   * the name say, what needs an endpoint is skipped. @default 'https://example.com/formwire-conformance'
   */
  webhookUrl?: string
  /** Which address rules must hold. @default 'development' on loopback, else 'production' */
  addressRules?: 'production' | 'development'
  /** Keeps the cases of these rules alone. */
  rules?: readonly string[]
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch
  /** Waits out a 429, in milliseconds. @default real time */
  wait?: (milliseconds: number) => Promise<void>
  /** Hears of every result as it is found. */
  onResult?: (result: CaseResult) => void
}

/** Lines of evidence that a result keeps. */
const EVIDENCE_LINES = 12

/**
 * Runs the portable cases against a deployment, one after the other. Read-only unless told otherwise.
 * @throws Error when the deployment cannot be reached, or the key does not reach the form: then nothing can be judged.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const { baseUrl, apiKey, formId, write = false, exhaust = false } = options
  const probe = new Probe({
    baseUrl,
    apiKey,
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    wait: options.wait ?? ((milliseconds) => sleep(milliseconds)),
  })
  const form = await readForm(probe, formId)
  const context: CaseContext = {
    probe,
    form,
    options: {
      readKey: options.readKey,
      foreignFormId: options.foreignFormId,
      expendableResponseId: options.expendableResponseId,
      expendableForm: options.expendableForm ?? false,
      webhookUrl: options.webhookUrl ?? 'https://example.com/formwire-conformance',
      addressRules: options.addressRules ?? (isLoopback(baseUrl) ? 'development' : 'production'),
    },
  }
  const results: CaseResult[] = []
  const profile: Record<string, string> = {}
  const wanted = (one: RuleCase | Observation): boolean =>
    options.rules === undefined || one.rules.some((id) => options.rules?.includes(id))
  // What uses up a limit comes last: every other case would be refused after it. The address before the key: a key at
  // its limit would hide what the address is refused.
  for (const one of [...RULE_CASES, ...OBSERVATIONS].filter(wanted).sort((a, b) => rank(a) - rank(b))) {
    const missing =
      one.writes && !write ? 'needs write' : one.exhausts && !exhaust ? 'needs exhaust' : undefined
    const result = missing ? skipped(one, missing) : await runCase(one, context)
    if ('key' in one && result.outcome === 'observed') profile[one.key] = result.finding as string
    results.push(result)
    options.onResult?.(result)
  }
  return {
    base_url: baseUrl,
    form_id: formId,
    write,
    totals: totalsOf(results),
    results,
    profile: profile as Partial<Unspecified>,
  }
}

const rank = (one: RuleCase | Observation): number => (one.exhausts ? ('key' in one ? 1 : 2) : 0)

async function readForm(probe: Probe, formId: string): Promise<Form> {
  const seen = await probe.ask(`/forms/${encodeURIComponent(formId)}`)
  if (seen.status !== 200) throw new Error(`cannot read the form: ${seen.line}`)
  // A form that is not as documented is for the cases to report: here it is enough that there is one.
  const form = (seen.json as { data?: Partial<Form> } | undefined)?.data
  if (typeof form?.id !== 'string')
    throw new Error(`cannot read the form: ${seen.line} without {"data": {...}}`)
  probe.takeLines()
  return form as Form
}

async function runCase(one: RuleCase | Observation, context: CaseContext): Promise<CaseResult> {
  const { rules, title } = one
  try {
    const value = await one.run(context)
    const evidence = evidenceOf(context)
    if (!('key' in one)) return { rules, title, outcome: 'held', finding: null, evidence }
    if (!(UNSPECIFIED[one.key] as readonly string[]).includes(value as string)) {
      return { rules, title, outcome: 'broken', finding: `${value} is no known behaviour`, evidence }
    }
    return { rules, title, outcome: 'observed', finding: value as string, evidence }
  } catch (error) {
    const evidence = evidenceOf(context)
    if (error instanceof Skipped)
      return { rules, title, outcome: 'skipped', finding: error.message, evidence }
    if (error instanceof Broken) return { rules, title, outcome: 'broken', finding: error.message, evidence }
    return { rules, title, outcome: 'broken', finding: `no answer: ${(error as Error).message}`, evidence }
  }
}

const skipped = ({ rules, title }: RuleCase | Observation, reason: string): CaseResult => ({
  rules,
  title,
  outcome: 'skipped',
  finding: reason,
  evidence: [],
})

/** The last lines: where a case breaks off is at their end. */
const evidenceOf = ({ probe }: CaseContext): string[] => probe.takeLines().slice(-EVIDENCE_LINES)

function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl)
  return (
    hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname) || hostname.endsWith('.test')
  )
}
