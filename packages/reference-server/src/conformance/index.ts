export type { CaseContext, Observation, RuleCase } from './case.ts'
export { type CaseResult, type ConformanceReport, type Outcome, renderReport } from './report.ts'
export { type ConformanceOptions, OBSERVATIONS, RULE_CASES, runConformance } from './run.ts'
