import { describe, expect, it } from 'vitest'
import {
  escapeInvisible,
  escapeStray,
  hasInvisible,
  replaceInvisible,
  replaceStray,
  visibleText,
} from '../src/invisible.ts'

// cspell:ignore خواهم Ελληνικά кириллица

const removed = (text: string): string => replaceStray(text, () => '')

describe('stray invisible characters', () => {
  it.each([
    ['control characters', 'a\u0000\u001b[31m\u007f\u009b2J', 'a[31m2J'],
    ['line ends', 'a\rb\nc\u0085d\u2028e\u2029f\vg', 'abcdefg'],
    ['bidirectional marks', '\u202ea\u2066b\u2069c\u200fd\u061ce', 'abcde'],
    ['characters without a width', 'a\u200bb\u2060c\ufeffd\u00ade\u034ff', 'abcdef'],
    ['tag characters', 'a\u{e0001}\u{e0041}\u{e007f}b', 'ab'],
    ['fillers', 'a\u115f\u3164\uffa0\u17b4b', 'ab'],
    ['selectors after letters', 'a\ufe0fb\u{e0100}c\u180b', 'abc'],
    ['all variants of a Han character but one', '葛\u{e0100}\u{e0101} 辻\u{e0110}', '葛\u{e0100} 辻'],
    ['all selectors of an emoji but one', '😀\ufe0f\ufe0e\u{e0110}!', '😀\ufe0f!'],
    ['joiners between letters that are never joined', 'pass\u200dwo\u200crd \u200d', 'password '],
    ['all joiners of a letter but one', 'می\u200c\u200c\u200dخ \u061c\u200d', 'می\u200cخ '],
    ['a joiner after an emoji that joins nothing', '👩\u200d!', '👩!'],
  ])('are %s', (_, text, expected) => {
    expect(removed(text)).toBe(expected)
    expect(hasInvisible(text)).toBe(true)
  })

  it.each([
    'Größe, naïve, e\u0301, №, “quoted” – 100 €',
    '満足度 رضا שלום ไทย 한국어 Ελληνικά кириллица',
    'می\u200cخواهم क्\u200dष 葛\u{e0100}城',
    '👩🏽‍🚀 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️ ☺︎ 1️⃣',
  ])('are not what %j has', (text) => {
    expect(removed(text)).toBe(text)
  })

  it('are the same alone as in a longer text, for each character', () => {
    const different: string[] = []
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code)
      if (`${removed(character)}\u{10000}` !== removed(`${character}\u{10000}`)) different.push(character)
    }
    expect(different).toEqual([])
  })
})

describe('every invisible character', () => {
  it('includes those that are part of a visible one', () => {
    expect(replaceInvisible('👩\u200d🚀 ❤\ufe0f می\u200cخ \u202e', () => '#')).toBe('👩#🚀 ❤# می#خ #')
    expect([hasInvisible('👩\u200d🚀'), hasInvisible('👩🚀 é 日本')]).toEqual([true, false])
  })
})

describe('invisible characters in JSON', () => {
  const value = { 'a\u202e': ['b\u{e0041}\u0007\n', '👩\u200d🚀'] }
  it.each([
    ['all', escapeInvisible, '👩\\u200d🚀'],
    ['stray', escapeStray, '👩\u200d🚀'],
  ])('are escaped, %s of them, without a change to the value', (_, escaped, emoji) => {
    const json = escaped(JSON.stringify(value, null, '\t'))
    expect(json).toBe(`{\n\t"a\\u202e": [\n\t\t"b\\udb40\\udc41\\u0007\\n",\n\t\t"${emoji}"\n\t]\n}`)
    expect(JSON.parse(json)).toEqual(value)
  })
})

describe('visibleText()', () => {
  it('shows them by their numbers, and keeps line feeds and tabs', () => {
    expect(visibleText('a\u202eb\u{e0041}c\r\n\td\ud800', 100)).toBe(
      'a<U+202E>b<U+E0041>c<U+000D>\n\td\ufffd',
    )
  })

  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 3, 'abc… (6 characters in all)'],
    ['ab😀c', 3, 'ab… (5 characters in all)'],
    ['ab\ud83d', 3, 'ab\ufffd'],
    ['a\u202eb', 8, 'a… (3 characters in all)'],
    ['\u{e0041}'.repeat(1_000), 20, '<U+E0041><U+E0041>… (2000 characters in all)'],
  ])('cuts %j to %i characters: %s', (text, maxLength, expected) => {
    expect(visibleText(text, maxLength)).toBe(expected)
  })
})
