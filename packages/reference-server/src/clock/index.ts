export type { Clock } from './clock.ts'
export { ManualClock } from './manual.ts'
export { RealClock } from './real.ts'
export { InvalidSpanError, type Span } from './span.ts'
