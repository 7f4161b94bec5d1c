import type { Form } from '@formwire/contract'
import { isLoopbackHost } from '@formwire/internal/loopback'
import { namesOf, refuseUnknownOptions } from '../known-names.ts'
import { sleep } from '../real-timers.ts'
import { UNSPECIFIED, type Unspecified } from '../unspecified.ts'
import {
  type CaseContext,
  CaseSkipped,
  type ConformanceOptions,
  type Observation,
  type RuleCase,
  RuleViolation,
} from './case.ts'
import { authenticationCases } from './cases/authentication.ts'
import { envelopeCases } from './cases/envelopes.ts'
import { formChangeCases } from './cases/form-changes.ts'
import { formCases } from './cases/forms.ts'
import { responseCases } from './cases/responses.ts'
import { webhookCases } from './cases/webhooks.ts'
import { OBSERVATIONS } from './observations.ts'
import { Probe } from './probe.ts'
import { type CaseOutcome, type CaseResult, type ConformanceReport, totalsOf } from './report.ts'

/** Every rule that can be proven through the public API alone. */
export const RULE_CASES: readonly RuleCase[] = [
  ...envelopeCases,
  ...authenticationCases,
  ...formCases,
  ...responseCases,
  ...formChangeCases,
  ...webhookCases,
]

const OPTIONS = namesOf<ConformanceOptions>({
  baseUrl: true,
  apiKey: true,
  formId: true,
  write: true,
  exhaust: true,
  readKey: true,
  foreignFormId: true,
  expendableResponseId: true,
  expendableForm: true,
  webhookUrl: true,
  addressRules: true,
  rules: true,
  fetch: true,
  rateLimit: true,
  wait: true,
  onResult: true,
})

/** Maximum number of evidence lines in a result. */
const EVIDENCE_LINES = 12

/**
 * Runs the portable cases against a deployment, one after another. Read-only unless `write` is set.
 * @throws OptionError for an unknown option. Error when the deployment cannot be reached or the form cannot be read.
 *
 * @example
 * ```ts
 * const report = await runConformance({ baseUrl: 'https://forms.example.com', apiKey, formId: 'guestvoice01' })
 * console.log(renderReport(report))
 * ```
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  refuseUnknownOptions(options, OPTIONS, 'runConformance')
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
  // Cases that use up a limit run last, because later requests would be refused. The limit of the address comes before
  // that of the key, because a key at its limit would hide what the address is refused.
  for (const one of [...RULE_CASES, ...OBSERVATIONS].filter(wanted).sort((a, b) => rank(a) - rank(b))) {
    const needs =
      one.writes && !write ? 'requires --write' : one.exhausts && !exhaust ? 'requires --exhaust' : undefined
    const result = await runCase(one, context, needs)
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
  const reply = await probe.send(`/forms/${encodeURIComponent(formId)}`)
  if (reply.status !== 200) throw new Error(`cannot read the form: ${reply.line}`)
  // The cases report a form of the wrong shape; here it only has to exist.
  const form = (reply.json as { data?: Partial<Form> } | undefined)?.data
  if (typeof form?.id !== 'string')
    throw new Error(`cannot read the form: ${reply.line} without {"data": {...}}`)
  probe.takeLines()
  return form as Form
}

/** @param needs what the case needs of the options to run */
async function runCase(
  one: RuleCase | Observation,
  context: CaseContext,
  needs: string | undefined,
): Promise<CaseResult> {
  const { rules, title } = one
  const result = (outcome: CaseOutcome, finding: string | null): CaseResult => ({
    rules,
    title,
    outcome,
    finding,
    // The last lines, because a failure is at the end.
    evidence: context.probe.takeLines().slice(-EVIDENCE_LINES),
  })
  if (needs !== undefined) return result('skipped', needs)
  try {
    const value = await one.run(context)
    if (!('key' in one)) return result('held', null)
    const isKnown = (UNSPECIFIED[one.key] as readonly string[]).includes(value as string)
    return isKnown
      ? result('observed', value as string)
      : result('broken', `${value} is not a known behaviour`)
  } catch (error) {
    if (error instanceof CaseSkipped) return result('skipped', error.message)
    if (error instanceof RuleViolation) return result('broken', error.message)
    return result('broken', `no response: ${(error as Error).message}`)
  }
}

function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl)
  return isLoopbackHost(hostname) || hostname.endsWith('.test')
}
