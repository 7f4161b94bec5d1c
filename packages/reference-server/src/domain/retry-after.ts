import { LIMITS } from '@formwire/contract'
import { ServiceError } from './service-error.ts'

/** 429 with the documented `Retry-After` (RATE-01, RATE-02). */
export const rateLimited = (message: string): ServiceError =>
  new ServiceError('rate_limited', message, undefined, { 'retry-after': String(LIMITS.retryAfterSeconds) })
