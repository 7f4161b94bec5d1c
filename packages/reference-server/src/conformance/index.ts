export type { Given } from '@formwire/internal/given'
export type { CaseContext, ConformanceOptions, Observation, RuleCase } from './case.ts'
export { OBSERVATIONS } from './observations.ts'
export {
  type CaseOutcome as Outcome,
  type CaseResult,
  type ConformanceReport,
  renderReport,
} from './report.ts'
export { RULE_CASES, runConformance } from './run.ts'
