import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../test/support/any-character.ts'
import { curlCommand, headersSent } from '../../src/views/delivery/commands.ts'

const URL = 'http://127.0.0.1:4000/hook'
const HEADERS = headersSent(
  { id: 'dlv_1', event: 'test.ping', raw_body: '{"a":1}' },
  { timestamp: 1_700_000_000, signature: 'sha256=aa' },
  URL,
)

/** Replaces curl by a function that prints its arguments, separated by NUL. */
const shadowed = (line: string): string[] =>
  execFileSync('sh', ['-c', `curl() { for word; do printf '%s\\0' "$word"; done; }; ${line}`], {
    encoding: 'utf8',
  }).split('\0')

describe('the curl command of a delivery', () => {
  it('[DLV-03] sends the request of an attempt, byte for byte', () => {
    expect(curlCommand(URL, HEADERS, '{"a":1}')).toBe(
      "curl -gi 'http://127.0.0.1:4000/hook' -H 'content-type: application/json' -H 'accept: */*' -H 'accept-encoding: identity' -H 'user-agent: Formwire-Webhooks/1' -H 'x-service-event: test.ping' -H 'x-service-delivery: dlv_1' -H 'x-service-timestamp: 1700000000' -H 'x-service-signature: sha256=aa' --data-binary '{\"a\":1}'",
    )
  })

  it('keeps any body unchanged, and has no invisible characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
        const body = JSON.stringify({ text })
        const line = curlCommand(URL, [], body)
        expect(shadowed(line).at(-2)).toBe(body)
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      }),
      { numRuns: Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 25) },
    )
  })

  it('quotes a URL that a shell or a browser would change', () => {
    const url = "http://127.0.0.1:4000/it's?a={b}&c=$(id)\u202e"
    expect(shadowed(curlCommand(url, [], '{}'))[1]).toBe("http://127.0.0.1:4000/it's?a={b}&c=$(id)%E2%80%AE")
    expect(curlCommand(url, [], '{}')).not.toContain('\u202e')
  })
})
