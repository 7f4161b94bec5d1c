import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJsonBytes, readJsonFile } from '@formwire/internal/json-file'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { propertyRuns } from '../../../test/support/cases.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'

const inParts = (text: string, maxText = 4): unknown => parseJsonBytes(Buffer.from(text), maxText)

it('parses JSON part by part as a whole', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.nat({ max: 3 }),
      fc.nat(40),
      (value, indent, maxText) => {
        const text = JSON.stringify(value, null, indent)
        expect(inParts(text, maxText)).toEqual(JSON.parse(text))
      },
    ),
    { numRuns: propertyRuns(30, 100) },
  )
})

it('keeps members named __proto__, the last of two with one name, and escapes', () => {
  const text = ' {"__proto__": {"a": [1, 2, 3]}, "b" : 1, "b" : "]\\"}\\\\", "\\u0063,:": [ ], "d": { } } '
  expect(JSON.stringify(inParts(text))).toBe(JSON.stringify(JSON.parse(text)))
})

it.each([
  '[1,2,3',
  '[1,,2]',
  '[1,2,]',
  '{"a":1,}',
  '{"a" 1234}',
  '{1:"abcd"}',
  '["abcdef]',
  '[1,2]3456',
  '{"a":[1}]',
  '12345]',
  '      ',
])('does not parse %j', (text) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
  expect(inParts(text)).toBe(undefined)
})

it('never parses what is not JSON', () => {
  const pieces = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '1', ' ', 'null')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      let expected: unknown
      try {
        expected = JSON.parse(text)
      } catch {}
      expect(inParts(text, 0)).toEqual(expected)
    }),
    { numRuns: propertyRuns(2000) },
  )
})

it('reads files', async () => {
  const path = join(temporaryDirectory(), 'seed.json')
  writeFileSync(path, '{"a":[1,"ü"]}')
  expect(await readJsonFile(path)).toEqual({ a: [1, 'ü'] })
  await expect(readJsonFile(path, 2 ** 30, 10)).rejects.toThrow(
    'the file has 14 bytes; at most 10 can be read',
  )
  await expect(readJsonFile(path, 50)).rejects.toThrow(
    'the file has 14 bytes, which need some 1 MiB of memory, and Node.js may use 1; set NODE_OPTIONS=--max-old-space-size=1',
  )
  writeFileSync(path, '\uFEFF{"a":1}')
  expect(await readJsonFile(path)).toEqual({ a: 1 })
  for (const utf16 of [Buffer.from('\uFEFF{}', 'utf16le'), Buffer.from('\uFEFF{}', 'utf16le').swap16()]) {
    writeFileSync(path, utf16)
    await expect(readJsonFile(path)).rejects.toThrow('the file is in UTF-16; save it as UTF-8')
  }
  await expect(readJsonFile(`${path}.missing`)).rejects.toMatchObject({ code: 'ENOENT' })
})
