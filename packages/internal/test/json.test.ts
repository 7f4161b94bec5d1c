import { expect, it } from 'vitest'
import { isUtf16 } from '../src/json.ts'

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')

it.each<[string, boolean, Buffer]>([
  ['UTF-16', true, utf16('{}')],
  ['UTF-16 with a mark', true, utf16('\uFEFF{}')],
  ['big-endian UTF-16', true, utf16('{}').swap16()],
  ['big-endian UTF-16 with a mark', true, utf16('\uFEFF{}').swap16()],
  ['Latin-1', false, Buffer.from('éèê', 'latin1')],
  ['a JPEG', false, Buffer.from('ffd8ffe000104a46', 'hex')],
  ['UTF-8 with a mark', false, Buffer.from('\uFEFF{}')],
])('recognizes whether %s is UTF-16: %s', (_what, expected, bytes) => {
  expect(isUtf16(bytes.toString())).toBe(expected)
})
