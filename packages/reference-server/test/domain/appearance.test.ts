import { describe, expect, it } from 'vitest'
import {
  type Appearance,
  directionOf,
  PLAIN_APPEARANCE,
  readAppearance,
  readLogo,
} from '../../src/domain/appearance.ts'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

function dataUrl(type: string, bytes: Iterable<number>, length = 16): string {
  const data = Buffer.alloc(length)
  data.set([...bytes])
  return `data:${type};base64,${data.toString('base64')}`
}
const latin = (text: string): number[] => [...Buffer.from(text, 'latin1')]
const read = (field: keyof Appearance, value: unknown): unknown => {
  const result = readAppearance(field, value)
  return result.ok ? result.value : `refused: ${result.refusal.message}`
}

describe('the appearance of a form', () => {
  it('clears a field with null', () => {
    for (const field of ['intro', 'language', 'logo', 'accent'] as const) expect(read(field, null)).toBeNull()
  })

  it('has an introduction of 1 to 2,000 characters', () => {
    const refused = 'refused: must be a string of 1 to 2000 characters, or null.'
    for (const good of ['x', 'x'.repeat(2000), '👩'.repeat(2000)]) expect(read('intro', good)).toBe(good)
    for (const bad of ['', 5, 'x'.repeat(2001), '👩'.repeat(2001), 'x'.repeat(4001)])
      expect(read('intro', bad)).toBe(refused)
  })

  it('has a language in its usual spelling', () => {
    expect(read('language', 'PT-br')).toBe('pt-BR')
    for (const bad of ['', 'no such language', 'e', `en-${'x'.repeat(500)}`])
      expect(read('language', bad)).toMatch(/^refused: must be a BCP 47 language tag/)
  })

  it('has an accent of six hexadecimal digits', () => {
    expect(read('accent', '#3B49CF')).toBe('#3b49cf')
    for (const bad of ['3b49cf', '#3b49c', '#3b49cff', ' #3b49cf', 'red'])
      expect(read('accent', bad)).toBe('refused: must be a colour, such as "#3b49cf", or null.')
  })

  it.each([
    ['image/png', PNG],
    ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
    ['image/gif', latin('GIF87a')],
    ['image/gif', latin('GIF89a')],
    ['image/webp', latin('RIFF\0\0\0\0WEBP')],
  ])('has a logo of the type %s that begins like one', (type, start) => {
    expect(readLogo(dataUrl(type, start))).toMatchObject({ type })
    expect(readLogo(dataUrl(type, [0, ...start]))).toBeUndefined()
    expect(read('logo', dataUrl(type, start))).toBe(dataUrl(type, start))
  })

  it.each([
    ['another type', dataUrl('image/jpeg', PNG)],
    ['an SVG', dataUrl('image/svg+xml', latin('<svg/>'))],
    ['a RIFF file that is no image', dataUrl('image/webp', latin('RIFF\0\0\0\0WAVE'))],
    ['WEBP without RIFF', dataUrl('image/webp', latin('RIF!\0\0\0\0WEBP'))],
    ['a link', 'https://example.com/logo.png'],
    ['text after the image', `${dataUrl('image/png', PNG)} `],
  ])('refuses %s as a logo', (_what, url) => {
    expect(readLogo(url)).toBeUndefined()
    expect(read('logo', url)).toMatch(/^refused: must be a PNG, JPEG, GIF or WebP image of at most \d+ bytes/)
  })

  it('has a logo of at most 100 KiB', () => {
    expect(readLogo(dataUrl('image/png', PNG, 102_400))?.bytes.length).toBe(102_400)
    expect(readLogo(dataUrl('image/png', PNG, 102_401))).toBeUndefined()
    expect(readLogo(dataUrl('image/png', PNG, 200_000))).toBeUndefined()
  })

  it.each([
    ['en', 'שלום', 'ltr'],
    ['he', 'Hello', 'rtl'],
    ['ar-EG', 'Hello', 'rtl'],
    ['az-Arab', 'Hello', 'rtl'],
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
  ] as const)('of the language %s and the title "%s" is written %s', (language, title, direction) => {
    expect(directionOf({ ...PLAIN_APPEARANCE, language }, title)).toBe(direction)
  })
})
