import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { prepareWidths, widthOf, wrap } from '../../src/output/width.ts'

describe('the width of a text', () => {
  it('is one column for each character of the texts of the program, as string-width finds it', async () => {
    const texts = ['→ 200', '↑↓ PgUp', 'loading …', '“quoted” – ‘so’', '✓ ✗ ◦ ›', '1× · 2']
    await prepareWidths(['你'])
    for (const text of texts) expect(widthOf(text)).toBe(stringWidth(text))
  })
})

describe('wrapping a text', () => {
  it('breaks a word that is longer than a line, and continues with the next word on its last line', () => {
    expect(wrap('ab cdefghijk l', 4)).toEqual(['ab', 'cdef', 'ghij', 'k l'])
  })

  it('breaks between characters, never within one, and puts a wide character on a separate line', async () => {
    await prepareWidths(['你'])
    expect(wrap('你好吗e\u0301e\u0301', 3)).toEqual(['你', '好', '吗e\u0301', 'e\u0301'])
    expect(wrap('你好', 1)).toEqual(['你', '好'])
  })

  it('does not break a character where long texts are measured in parts', async () => {
    await prepareWidths(['你'])
    const family = '👨‍👩‍👧'
    const text = `${'你'.repeat(497)}${family.repeat(200)}`
    expect(widthOf(text)).toBe(stringWidth(text))
    expect(wrap(text, 7).filter((line) => stringWidth(line) > 7 || /^\u200d|\u200d$/.test(line))).toEqual([])
  })
})
