export type { Given } from '@formwire/internal/given'
export type { CaseContext, ConformanceOptions, Observation, RuleCase } from './case.ts'
export {
  type CaseOutcome as Outcome,
  type CaseResult,
  type ConformanceReport,
  renderReport,
} from './report.ts'
export { OBSERVATIONS, RULE_CASES, runConformance } from './run.ts'
