import { describe, expect, it } from 'vitest'
import { likelyMistakes } from '../../src/verification/likely-mistakes.ts'
import { BODY, GOOD, refusalOf, verifiers } from '../support.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('likelyMistakes', () => {
  it('finds no mistake in a genuine secret and body', () => {
    expect(likelyMistakes(['whsec_a', 'whsec_b'], BODY)).toEqual([])
    expect(likelyMistakes(['whsec_a'], bytes(BODY))).toEqual([])
    expect(likelyMistakes(['whsec_a'], '')).toEqual([])
  })

  it.each([
    ['whsec_a\n', ['whsec_a']],
    ['"whsec_a"', ['whsec_a', 'whsec_"whsec_a"']],
    [" 'whsec_a' ", ["'whsec_a'", 'whsec_a', "whsec_'whsec_a'"]],
    ['""', ['whsec_""']],
    ['a ', ['a', 'whsec_a']],
    ['whsec_"a"', []],
    ['"whsec_a"b', ['whsec_"whsec_a"b']],
    ['b"whsec_a"', ['whsec_b"whsec_a"']],
    ['"whsec_\na"', ['whsec_\na', 'whsec_"whsec_\na"']],
    [`"whsec_a'`, [`whsec_"whsec_a'`]],
  ])('for the secret %j, tries %j', (secret, tried) => {
    expect(likelyMistakes([secret], '{}').map((mistake) => mistake.secret)).toEqual(tried)
  })

  it.each<[string | Uint8Array, Array<string | Uint8Array>]>([
    ['{}\n', ['{}']],
    ['{}\r\n', ['{}']],
    [bytes('{}\n'), [bytes('{}')]],
    [bytes('{}\r\n'), [bytes('{}')]],
    ['{\n}\n', ['{\n}']],
    ['\n{}', []],
    [bytes('{ }\n'), [bytes('{ }')]],
    [bytes('{ }\r\n'), [bytes('{ }')]],
    [bytes('{\r\n}\n'), [bytes('{\r\n}')]],
    [bytes('{}\r'), []],
    [new Uint8Array(), []],
    ['e30=', [bytes('{}')]],
    [bytes('e30='), [bytes('{}')]],
    ['e30', []],
    ['abcde', []],
    ['e30g', [bytes('{} ')]],
    ['ew==', [bytes('{')]],
    ['a!b=', []],
    ['!abc', []],
    ['abc!', []],
    ['=abc', []],
    ['a===', []],
  ])('for the body %j, tries %j', (body, tried) => {
    expect(likelyMistakes(['whsec_a'], body).map((mistake) => mistake.body)).toEqual(tried)
  })

  it('tries nothing for a body over 2.5 MiB', () => {
    expect(likelyMistakes(['a'], 'x'.repeat(2_621_440))).toHaveLength(2)
    expect(likelyMistakes(['a'], 'x'.repeat(2_621_441))).toEqual([])
  })
})

describe.each(verifiers)('the refusal ($name)', ({ verify }) => {
  it.each([
    ['whsec_a', '{}', 'The signature does not match the 2 characters of the body with the secret.'],
    [['whsec_a'], bytes('{}'), 'The signature does not match the 2 bytes of the body with the secret.'],
    [
      ['whsec_a', 'whsec_b'],
      '{}',
      'The signature does not match the 2 characters of the body with any of the 2 secrets.',
    ],
  ])('reports the size of the body and the number of secrets: %j', async (secret, body, message) => {
    expect((await refusalOf(() => verify({ ...GOOD, secret, body }))).message).toBe(message)
  })
})
