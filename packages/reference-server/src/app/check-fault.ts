import { invalid } from '../http/errors.ts'
import type { Fault } from './faults.ts'

/** Longest wait of a fault: ten minutes. */
const WAIT_MAX_MS = 600_000

type Check = readonly [holds: (value: unknown) => boolean, message: string]

const whole =
  (min: number, max: number) =>
  (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max

const oneOf =
  (...values: unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value)

const isHeaderText = (value: unknown): boolean => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value)

const CHECKS: { readonly [Field in keyof Required<Fault>]: Check } = {
  method: [(value) => typeof value === 'string', 'takes an HTTP method.'],
  path: [
    (value) => typeof value === 'string' && value.startsWith('/'),
    'takes a whole path, such as /api/v1/me; * stands for one segment.',
  ],
  times: [whole(1, Number.MAX_SAFE_INTEGER), 'takes a number from 1.'],
  probability: [
    (value) => typeof value === 'number' && value >= 0 && value <= 1,
    'takes a share from 0 to 1.',
  ],
  seed: [whole(0, 0xffff_ffff), 'takes a whole number from 0 to 4294967295.'],
  status: [whole(200, 599), 'takes a number from 200 to 599.'],
  body: [oneOf('json', 'html', 'empty'), 'takes json, html or empty.'],
  retry_after: [
    (value) => isHeaderText(value) || (Number.isInteger(value) && Number(value) >= 0),
    'takes seconds or an HTTP date.',
  ],
  delay_ms: [whole(0, WAIT_MAX_MS), `takes a number from 0 to ${WAIT_MAX_MS}.`],
  reset: [
    oneOf(true, false, 'before', 'unanswered', 'middle', 'after'),
    'takes true, before, unanswered, middle or after.',
  ],
  truncate: [oneOf(true, false), 'takes true or false.'],
  content_type: [isHeaderText, 'takes a content type.'],
  drip_ms: [whole(0, WAIT_MAX_MS), `takes a number from 0 to ${WAIT_MAX_MS}.`],
  drip_bytes: [whole(1, 1_048_576), 'takes a number from 1 to 1048576.'],
}

/** @throws ServiceError 422 with the first field that is unknown or cannot be used: a typing error is no silent fault. */
export function checkFault(fault: Fault): void {
  for (const [field, value] of Object.entries(fault)) {
    if (!Object.hasOwn(CHECKS, field)) {
      throw invalid(field, `A fault has no ${field}. It has ${Object.keys(CHECKS).join(', ')}.`)
    }
    const [holds, message] = CHECKS[field as keyof Fault]
    if (value !== undefined && !holds(value)) throw invalid(field, `${field} ${message}`)
  }
  if (fault.body !== undefined && fault.status === undefined) {
    throw invalid('body', 'body says what a status is answered with: give status too.')
  }
}
