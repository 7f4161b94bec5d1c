import { describe, expect, it } from 'vitest'
import { directionOf, readLanguage } from '../../src/domain/language.ts'

const read = (value: unknown): unknown => {
  const result = readLanguage(value)
  return result.ok ? result.value : `refused: ${result.refusal.message}`
}

describe('the language of a form', () => {
  it('is a tag in its usual spelling, or null', () => {
    expect([read('PT-br'), read(null)]).toEqual(['pt-BR', null])
    for (const bad of ['', 5, 'no such language', 'e', `en-${'x'.repeat(500)}`])
      expect(read(bad)).toMatch(/^refused: must be a BCP 47 language tag/)
  })

  it.each([
    ['en', 'שלום', 'ltr'],
    ['he', 'Hello', 'rtl'],
    ['ar-EG', 'Hello', 'rtl'],
    ['az-Arab', 'Hello', 'rtl'],
    ['pa-Arab', 'Hello', 'rtl'],
    ['pa', 'Hello', 'ltr'],
    ['dv', 'Hello', 'rtl'],
    ['nqo', 'Hello', 'rtl'],
    ['syr', 'Hello', 'rtl'],
    ['ff-Adlm', 'Hello', 'rtl'],
    ['rhg-Rohg', 'Hello', 'rtl'],
    ['mid-Mand', 'Hello', 'rtl'],
    [null, 'שלום', 'rtl'],
    [null, '12 — مرحبا Hello', 'rtl'],
    [null, 'ދި', 'rtl'],
    [null, 'ߒߞߏ', 'rtl'],
    [null, 'ܣܘ', 'rtl'],
    [null, '𞤆𞤵𞤤', 'rtl'],
    [null, '𐴀𐴞', 'rtl'],
    [null, 'ࡀࡁ', 'rtl'],
    [null, 'Hello שלום', 'ltr'],
    [null, 'Да', 'ltr'],
    [null, '123', 'ltr'],
    ['tlh', 'שלום', 'ltr'],
  ] as const)('%s, with the title "%s" is written %s', (language, title, direction) => {
    expect(directionOf(language, title)).toBe(direction)
  })
})
