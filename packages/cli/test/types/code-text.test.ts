import { describe, expect, it } from 'vitest'
import { docText, objectKey, propertyName, stringLiteral } from '../../src/types/code-text.ts'

describe('text in generated code', () => {
  it.each([
    ["it's", "'it\\'s'"],
    ['back\\slash', "'back\\\\slash'"],
    ['two\nlines\r', "'two\\nlines\\u000d'"],
    ['\u202egnp.exe', "'\\u202egnp.exe'"],
    ['\u2028', "'\\u2028'"],
    ['\ud800', "'\\ud800'"],
    ['zero\u200bwidth', "'zero\\u200bwidth'"],
    ['naïve 日本 🤖', "'naïve 日本 🤖'"],
  ])('writes %j as the literal %s', (text, literal) => {
    expect(stringLiteral(text)).toBe(literal)
  })

  it('quotes property names that are not identifiers', () => {
    expect(['nps', '$_1', '1st', 'é', 'a b', ''].map(propertyName)).toEqual([
      'nps',
      '$_1',
      "'1st'",
      "'é'",
      "'a b'",
      "''",
    ])
    expect(objectKey('__proto__')).toBe("['__proto__']")
  })

  it.each([
    ['How  likely\n are you?', '"How likely are you?"'],
    ['end */ export', '"end *\\/ export"'],
    ['@deprecated', '"\\@deprecated"'],
    ['mail a@b.example', '"mail a@b.example"'],
    ['{@link x}', '"{\\@link x}"'],
    ['![](https://x.example/x.png)', '"!\\[](https://x.example/x.png)"'],
    ['<img> `code`', '"\\<img> \\`code\\`"'],
    ['\u202eabc\u2028def', '"abc def"'],
    ['x'.repeat(300), `"${'x'.repeat(199)}…"`],
  ])('writes the title %j in a docstring as %s', (title, text) => {
    expect(docText(title)).toBe(text)
  })
})
