import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Pseudonyms } from '../../src/pull/scrub/pseudonyms.ts'
import { KeyedRandom } from '../../src/pull/scrub/random.ts'

// cspell:ignore Ключ Иванов محمد ᴶᵒʰᵃⁿⁿᵉˢ ǅﬁµßſ titlecase
const names = new Pseudonyms(Buffer.alloc(32, 7))
const others = new Pseudonyms(Buffer.alloc(32, 8))

/** Every part of a text with this many characters. */
const windows = (text: string, length: number): string[] => {
  const characters = [...text]
  return characters.slice(length - 1).map((_, at) => characters.slice(at, at + length).join(''))
}

describe('pseudonyms', () => {
  it.each([
    ['Anna Schmidt', /^[A-Z][a-z]{3} [A-Z][a-z]{6}$/],
    ['Ключ Иванов', /^[А-Я][а-я]{3} [А-Я][а-я]{5}$/],
    ['山田太郎', /^\p{Script=Han}{4}$/u],
    ['김민수', /^\p{Script=Hangul}{3}$/u],
    ['محمد', /^\p{Script=Arabic}{4}$/u],
    ['AB-1234', /^[A-Z]{2}-\d{4}$/],
    ['👍👍', /^\p{So}{2}$/u],
  ])('replace %j by a text of the same length and script', (original, pattern) => {
    const pseudonym = names.text(original)
    expect(pseudonym).toMatch(pattern)
    expect([...pseudonym]).toHaveLength([...original].length)
    expect(names.text(original)).toBe(pseudonym)
    expect(others.text(original)).not.toBe(pseudonym)
  })

  it.each([
    ['modifier letters', 'ᴶᵒʰᵃⁿⁿᵉˢ'],
    ['sub- and superscripts', 'x²³¹₁₂ªº'],
    ['circled and parenthesized ones', '①②Ⓐⓩ⒜⒈'],
    ['Roman numerals', 'ⅣⅫⅿ'],
    ['titlecase letters and ligatures', 'ǅﬁµßſ'],
    ['private characters', '\ue001\uf8ff\u{f0001}\u{100001}'],
    ['tags and variation selectors', '\u{e004a}\u{e006f}\u{e0101}\ufe01'],
    ['characters of a later Unicode', '\u{1faea}\u{1faeb}'],
    ['marks', 'e\u0301राम'],
    ['skin tones', '👍🏽'],
  ])('leave none of %s where it was', (_, original) => {
    const scrubbed = [...names.text(original)]
    expect(scrubbed).toHaveLength([...original].length)
    expect([...original].filter((character, at) => scrubbed[at] === character)).toEqual([])
  })

  it('keep white space, punctuation, signs, and how an emoji looks', () => {
    expect(names.text('a—b £5 `c` ^ +1 ❤\ufe0f')).toMatch(/^[a-z]—[a-z] £\d `[a-z]` \^ \+\d \p{So}\ufe0f$/u)
  })

  it('leave no eight characters of a text where they were', async () => {
    await fc.assert(
      fc.property(fc.string({ minLength: 8, maxLength: 80, unit: 'grapheme' }), (original) => {
        const scrubbed = windows(names.text(original), 8)
        for (const [at, window] of windows(original, 8).entries()) expect(scrubbed[at]).not.toBe(window)
      }),
    )
  })

  it('give a person one address, whatever the case, and everybody another one', () => {
    const address = names.email('Anna.Schmidt@example.com')
    expect(address).toMatch(/^[a-z]{12}@[a-z]{8}\.example$/)
    expect(names.email(' anna.schmidt@EXAMPLE.com')).toBe(address)
    const all = new Set(Array.from({ length: 2000 }, (_, number) => names.email(`a${number}@example.com`)))
    expect(all.size).toBe(2000)
  })

  it('are made from SHA-512 of a key, a counter and the text', () => {
    const first = hash('sha512', ['key', 'text'].join(''), 'binary')
    const digests = [
      first,
      hash('sha512', `key1\0${first}`, 'binary'),
      hash('sha512', `key2\0${first}`, 'binary'),
    ]
    const bytes = Buffer.from(digests.join(''), 'latin1')
    const small = new KeyedRandom('key', 'text')
    for (let at = 0; at < bytes.length; at += 2) expect(small.below(512)).toBe(bytes.readUInt16BE(at) % 512)
    const large = new KeyedRandom('key', 'text')
    for (let at = 0; at < bytes.length; at += 6)
      expect(large.below(1_000_003)).toBe(bytes.readUIntBE(at, 6) % 1_000_003)
  })

  it('keep the notation of phone numbers, URLs and files', () => {
    expect(names.phone('+49 (0)30 123-4567')).toMatch(/^\+99 \(9\)\d\d \d{3}-\d{4}$/)
    expect(names.url('https://anna.example.com/cv?token=secret')).toMatch(
      /^https:\/\/[a-z]{10}\.example\/[a-z]{15}$/,
    )
    expect(names.url('not a url')).toMatch(/^[a-z]{3} [a-z] [a-z]{3}$/)
    expect(names.file({ id: 'file_Ab12', name: 'Schmidt cv.pdf', size: 7 })).toEqual({
      id: expect.stringMatching(/^file_[A-Z][a-z]\d\d$/),
      name: expect.stringMatching(/^[A-Z][a-z]{6} [a-z]{2}\.pdf$/),
      size: 7,
    })
  })

  it('replace phone numbers in digits of other scripts each by itself, in any notation', () => {
    const digits = (text: string): number[] =>
      [...text].flatMap((one) => (/\p{Nd}/u.test(one) ? [(one.codePointAt(0) as number) & 15] : []))
    const shifts = (original: string): number[] => {
      const scrubbed = digits(names.phone(original)).slice(3)
      return digits(original)
        .slice(3)
        .map((digit, at) => ((scrubbed[at] as number) - digit + 10) % 10)
    }
    expect(shifts('٠١٢٣٤٥٦٧٨٩٠١')).not.toEqual(shifts('٠١٢٤٤٥٦٧٨٩٠١'))
    expect(names.phone('٠١٢-٣٤٥ ٦٧٨٩')).toMatch(/^٩٩٩-[٠-٩]{3} [٠-٩]{4}$/)
    expect(digits(names.phone('٠١٢٣٤٥٦٧٨٩'))).toEqual(digits(names.phone('+01 (23) 45-67.89')))
    expect(names.phone('call Anna').slice(0, 4)).not.toBe(names.phone('call Otto').slice(0, 4))
  })

  it.each([
    ['Anna.Meyer', /^[A-Z][a-z]{3}\.[A-Z][a-z]{4}$/],
    ['cv.Anna', /^[a-z]{2}\.[A-Z][a-z]{3}$/],
    ['Anna.JPEG', /^[A-Z][a-z]{3}\.JPEG$/],
    ['.pdf', /^\.pdf$/],
  ])('keep only known extensions of files: %j', (name, pattern) => {
    const file = names.file({ id: 'anna_Ab12', name, size: 7 })
    expect(file.name).toMatch(pattern)
    expect(file.name === name).toBe(name === '.pdf')
    expect(file.name).not.toMatch(/Anna$|Meyer$/)
    expect(file.id).toMatch(/^[a-z]{4}_[A-Z][a-z]\d\d$/)
    expect(file.id).not.toContain('anna')
  })

  it('replace names of members that are not plain identifiers', () => {
    const value = {
      'anna@example.com': { ok: true },
      Anna: 1,
      '+49 30': 2,
      utm_source: null,
      ['a'.repeat(33)]: 3,
    }
    const scrubbed = Object.keys(names.anything(value) as object)
    expect(scrubbed).toHaveLength(5)
    expect(scrubbed.filter((name) => Object.hasOwn(value, name))).toEqual(['utm_source'])
  })

  it('keep members whose names get the same pseudonym', () => {
    const value = Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`#${number}`, true]))
    expect(Object.keys(names.anything(value) as object)).toHaveLength(100)
  })

  it('replace texts and numbers in values of unknown types, however deep', () => {
    const value = { where: { lat: 52.52, note: 'by the gate' }, tags: ['private'], ok: true, none: null }
    const scrubbed = names.anything(value) as typeof value
    expect(scrubbed).toMatchObject({ ok: true, none: null, tags: [expect.stringMatching(/^[a-z]{7}$/)] })
    expect(scrubbed.where.lat).not.toBe(52.52)
    expect(scrubbed.where.note).toMatch(/^[a-z]{2} [a-z]{3} [a-z]{4}$/)
    let deep: unknown = 'bottom'
    for (let level = 0; level < 1000; level += 1) deep = [deep]
    expect(JSON.stringify(names.anything(deep))).not.toContain('bottom')
  })
})
