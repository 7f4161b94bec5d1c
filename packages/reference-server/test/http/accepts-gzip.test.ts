import { expect, it } from 'vitest'
import { acceptsGzip } from '../../src/http/finish-response.ts'

it.each([
  [undefined, false],
  ['', false],
  ['identity', false],
  ['gzip', true],
  ['deflate, GZIP;q=0.5', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000, identity', false],
  ['*', true],
  ['*;q=0', false],
  // A named coding takes precedence over `*` (RFC 9110, 12.5.3).
  ['gzip;q=0, *', false],
  ['*;q=0, gzip', true],
])('Accept-Encoding: %s', (header, accepted) => {
  expect(acceptsGzip(header)).toBe(accepted)
})
