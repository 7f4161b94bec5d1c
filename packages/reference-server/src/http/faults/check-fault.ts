import type { Fault } from '@formwire/contract/control'
import { invalid } from '../../domain/service-error.ts'
import { quote } from '../../known-names.ts'
import { refuseUnknownFields } from '../../services/input.ts'

/** Maximum delay of a fault: ten minutes. */
const DELAY_MAX_MS = 600_000

/** What a field must be. */
type Check = readonly [holds: (value: unknown) => boolean, expected: string]

const whole =
  (min: number, max: number) =>
  (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max

const oneOf =
  (...values: unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value)

/** Whether a path pattern can match a request to the API or a public form; any other would never apply. */
function canMatch(value: unknown): boolean {
  if (typeof value !== 'string' || /[?#]/.test(value)) return false
  const [start, ...segments] = value.split('/')
  const begins = (...wanted: string[]) =>
    wanted.every((segment, index) => segments[index] === segment || segments[index] === '*')
  return start === '' && (begins('api', 'v1') || begins('f'))
}

const isHeaderText = (value: unknown): boolean => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value)

const CHECKS: { readonly [Field in keyof Required<Fault>]: Check } = {
  method: [(value) => typeof value === 'string', 'an HTTP method'],
  path: [canMatch, 'a path under /api/v1 or /f, such as /api/v1/forms/*'],
  times: [whole(1, Number.MAX_SAFE_INTEGER), 'an integer of at least 1'],
  probability: [(value) => typeof value === 'number' && value >= 0 && value <= 1, 'a number from 0 to 1'],
  seed: [whole(0, 0xffff_ffff), 'an integer from 0 to 4294967295'],
  status: [whole(200, 599), 'an integer from 200 to 599'],
  body: [oneOf('json', 'html', 'empty'), 'json, html or empty'],
  retry_after: [
    (value) => isHeaderText(value) || (Number.isInteger(value) && Number(value) >= 0),
    'seconds or an HTTP date',
  ],
  delay_ms: [whole(0, DELAY_MAX_MS), `an integer from 0 to ${DELAY_MAX_MS}`],
  reset: [
    oneOf(true, false, 'before', 'unanswered', 'middle', 'after'),
    'true, false, before, unanswered, middle or after',
  ],
  truncate: [oneOf(true, false), 'true or false'],
  content_type: [isHeaderText, 'a content type in printable ASCII'],
  drip_ms: [whole(0, DELAY_MAX_MS), `an integer from 0 to ${DELAY_MAX_MS}`],
  drip_bytes: [whole(1, 1_048_576), 'an integer from 1 to 1048576'],
}

/** @throws ServiceError 422 naming the first field that is unknown or invalid, so that a typo does not go unnoticed. */
export function checkFault(fault: Fault): void {
  refuseUnknownFields(fault, Object.keys(CHECKS))
  for (const [field, value] of Object.entries(fault)) {
    const [holds, expected] = CHECKS[field as keyof Fault]
    if (value === undefined || holds(value)) continue
    throw invalid(field, `${field} must be ${expected}, got ${quote(value)}.`)
  }
  if (fault.body !== undefined && fault.status === undefined) {
    throw invalid('body', 'body requires status.')
  }
}
