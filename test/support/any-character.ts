import fc from 'fast-check'

const SURROGATES = 0x800
const FIRST_SURROGATE = 0xd800

/**
 * Any character but a lone surrogate: the same characters as `unit: 'binary'` of fast-check, which first lists all of them and takes
 * a second of processor time and 140 MB in each worker.
 */
export const anyCharacter = fc.nat(0x10ffff - SURROGATES).map(characterAt, (text) => {
  const index = indexOf(text)
  if (typeof text !== 'string' || characterAt(index) !== text) throw new Error('Not one character.')
  return index
})

function characterAt(index: number): string {
  return String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES)
}

function indexOf(text: unknown): number {
  const code = String(text).codePointAt(0) ?? 0
  return code < FIRST_SURROGATE ? code : code - SURROGATES
}
