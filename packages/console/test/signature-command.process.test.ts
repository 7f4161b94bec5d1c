import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { shellQuote } from '../src/shell.ts'
import { signatureCommand } from '../src/views/delivery/commands.ts'
import { hasOpenssl } from './openssl.ts'

const run = (line: string, env: Record<string, string> = {}): string =>
  execFileSync('sh', ['-c', line], { encoding: 'utf8', env: { ...process.env, ...env } }).trim()

describe('the openssl command', () => {
  it.skipIf(!hasOpenssl)('[DLV-04] prints the signature of a known vector', () => {
    const line = signatureCommand(1_700_000_000, '{"event":"test.ping"}', 'whsec_test')
    expect(line).toBe(
      `printf '%s' '1700000000.{"event":"test.ping"}' | openssl dgst -sha256 -hmac 'whsec_test' | sed 's/^.*= /sha256=/'`,
    )
    // The same with another option of openssl.
    const byMacopt = run(
      `printf '%s' '1700000000.{"event":"test.ping"}' | openssl dgst -sha256 -mac HMAC -macopt key:whsec_test | sed 's/^.*= //'`,
    )
    expect(run(line)).toBe(`sha256=${byMacopt}`)
  })

  it.skipIf(!hasOpenssl)('reads an unknown secret from the environment', () => {
    const line = signatureCommand(1, '{}', undefined)
    expect(line).toContain(`-hmac "\${FORMWIRE_WEBHOOK_SECRET:?is not set}"`)
    expect(run(line, { FORMWIRE_WEBHOOK_SECRET: 'whsec_a' })).toBe(run(signatureCommand(1, '{}', 'whsec_a')))
  })

  it('quotes any text so that a shell returns it unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
        const safe = text.replaceAll('\0', '').replace(/\n+$/, '')
        expect(execFileSync('sh', ['-c', `printf '%s' ${shellQuote(safe)}`], { encoding: 'utf8' })).toBe(safe)
      }),
      { numRuns: Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 25) },
    )
  })

  it.skipIf(!hasOpenssl)('[DLV-04] escapes characters that are invisible or reverse the line', () => {
    const line = signatureCommand(5, '{"title":"\u202eabc\\n"}', 'whsec_x')
    expect(line).toBe(
      `printf '%b' '5.{"title":"\\0342\\0200\\0256abc\\\\n"}' | openssl dgst -sha256 -hmac 'whsec_x' | sed 's/^.*= /sha256=/'`,
    )
    expect(run(line)).toBe(
      run(
        `printf '5.{"title":"\\342\\200\\256abc\\\\n"}' | openssl dgst -sha256 -hmac whsec_x | sed 's/^.*= /sha256=/'`,
      ),
    )
  })

  it.skipIf(!hasOpenssl)('[DLV-04] matches the HMAC of any body up to 10 kB', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('\\', "'", '\u202e', '\n', '$()', '%')),
        ),
        fc.integer({ min: 1, max: 200 }),
        (parts, times) => {
          const body = JSON.stringify(parts.join('').repeat(times).slice(0, 10_000))
          const expected = `sha256=${createHmac('sha256', 'whsec_x').update(`5.${body}`).digest('hex')}`
          expect(run(signatureCommand(5, body, 'whsec_x'))).toBe(expected)
        },
      ),
      { numRuns: Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 25) },
    )
  })

  it.skipIf(!hasOpenssl)('matches the HMAC of a body that a shell would expand', () => {
    const body = `it's "100 %" \\n $HOME \`id\` שלום`
    const expected = `sha256=${createHmac('sha256', 'whsec_x').update(`5.${body}`).digest('hex')}`
    expect(run(signatureCommand(5, body, 'whsec_x'))).toBe(expected)
  })
})
