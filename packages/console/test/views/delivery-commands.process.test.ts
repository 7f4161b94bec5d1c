import { execFileSync, spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cliReplayCommand,
  curlCommand,
  headersSent,
  serverReplayCommand,
  signedCurlCommand,
} from '../../src/views/delivery/commands.ts'

const URL = 'http://127.0.0.1:4000/hook'
const HEADERS = headersSent(
  { id: 'dlv_1', event: 'test.ping', raw_body: '{"a":1}' },
  { timestamp: 1_700_000_000, signature: 'sha256=aa' },
  URL,
)

/** Replaces a program of the command by one that prints its arguments and its input, one a line. */
const shadowed = (program: string, line: string, env: Record<string, string> = {}): string[] =>
  execFileSync('sh', ['-c', `${program}() { for word; do printf '%s\\0' "$word"; done; cat; }; ${line}`], {
    encoding: 'utf8',
    input: '',
    env: { ...process.env, ...env },
  }).split('\0')

describe('the commands of a delivery', () => {
  it('[DLV-03] send the request of an attempt with curl, byte for byte', () => {
    expect(curlCommand(URL, HEADERS, '{"a":1}')).toBe(
      "curl -gi 'http://127.0.0.1:4000/hook' -H 'content-type: application/json' -H 'accept: */*' -H 'accept-encoding: identity' -H 'user-agent: Formwire-Webhooks/1' -H 'x-service-event: test.ping' -H 'x-service-delivery: dlv_1' -H 'x-service-timestamp: 1700000000' -H 'x-service-signature: sha256=aa' --data-binary '{\"a\":1}'",
    )
  })

  it('keep any body unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const body = JSON.stringify({ text })
        const words = shadowed('curl', curlCommand(URL, [], body))
        expect(words.at(-2)).toBe(body)
        const replayed = shadowed('npx', cliReplayCommand(URL, body))
        expect(replayed.join('\0')).toBe(`formwire\0replay\0/dev/stdin\0--forward-to\0${URL}\0${body}`)
      }),
      { numRuns: 25 },
    )
  })

  it('[DLV-04] sign with the secret of the environment, for the time of the call', () => {
    const line = signedCurlCommand(URL, HEADERS, '{"a":1}')
    const words = shadowed('curl', line, { FORMWIRE_WEBHOOK_SECRET: 'whsec_test' })
    const header = (name: string) =>
      words.find((word) => word.startsWith(`${name}: `))?.slice(name.length + 2)
    const time = header('x-service-timestamp') ?? ''
    const expected = execFileSync(
      'sh',
      ['-c', `printf '%s' '${time}.{"a":1}' | openssl dgst -sha256 -mac HMAC -macopt key:whsec_test`],
      { encoding: 'utf8' },
    )
    expect(Number(time)).toBeGreaterThan(1_700_000_000)
    expect(header('x-service-signature')).toBe(`sha256=${expected.trim().split(' ').at(-1)}`)
    expect(words.filter((word) => word.startsWith('x-service-timestamp'))).toHaveLength(1)
    expect(words.at(-2)).toBe('{"a":1}')
  })

  it('contain neither the secret nor the admin token', () => {
    expect(serverReplayCommand('http://127.0.0.1:8787', 'dlv_1')).toBe(
      `curl -X POST http://127.0.0.1:8787/_app/deliveries/dlv_1/replay -H "Authorization: Bearer \${FORMWIRE_ADMIN_TOKEN:?is not set}"`,
    )
    expect(signedCurlCommand(URL, HEADERS, '{}')).toContain('-hmac "$FORMWIRE_WEBHOOK_SECRET"')
  })

  it('fail before they send anything if a variable is not set', () => {
    const lines = [
      signedCurlCommand(URL, HEADERS, '{}'),
      serverReplayCommand('http://127.0.0.1:8787', 'dlv_1'),
    ]
    const { FORMWIRE_WEBHOOK_SECRET, FORMWIRE_ADMIN_TOKEN, ...env } = process.env
    const outcomes = lines.map((line) => {
      const { stdout, stderr } = spawnSync('sh', ['-c', `curl() { echo sent; }; ${line}`], {
        encoding: 'utf8',
        env,
      })
      return stdout + stderr.replace(/^.*?(?=FORMWIRE)/, '').trim()
    })
    expect(outcomes).toEqual(['FORMWIRE_WEBHOOK_SECRET: is not set', 'FORMWIRE_ADMIN_TOKEN: is not set'])
  })

  it('[DLV-04] sign for the time of a manual clock', () => {
    expect(signedCurlCommand(URL, HEADERS, '{}', 1_795_262_400)).toContain('; now=1795262400; ')
  })

  it('quote a URL that a shell or a browser would change', () => {
    const url = "http://127.0.0.1:4000/it's?a={b}&c=$(id)\u202e"
    expect(shadowed('curl', curlCommand(url, [], '{}'))[1]).toBe(
      "http://127.0.0.1:4000/it's?a={b}&c=$(id)%E2%80%AE",
    )
    expect(curlCommand(url, [], '{}')).not.toContain('\u202e')
  })
})
