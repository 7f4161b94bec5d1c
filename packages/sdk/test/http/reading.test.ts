import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readBody } from '../../src/http/read-body.ts'
import { isAtMost } from '../../src/http/transport.ts'

describe('a Content-Length', () => {
  it.each([
    ['10', true],
    ['0', true],
    ['11', false],
    [null, false],
    ['', false],
    ['10, 10', false],
    ['1e1', false],
    ['-1', false],
    ['ten', false],
  ])('of %s is valid and at most ten: %s', (length, expected) => {
    expect(isAtMost(length, 10)).toBe(expected)
  })
})

describe('reading a body', () => {
  const read = (encoding: string | null, ...chunks: Buffer[]) =>
    readBody(Readable.from(chunks), encoding, 100)

  it('joins its chunks, also within a character', async () => {
    const bytes = Buffer.from('a – b')
    expect(await read(null, bytes.subarray(0, 3), bytes.subarray(3))).toBe('a – b')
    expect(await read(null, bytes)).toBe('a – b')
    expect(await read(null)).toBe('')
  })

  it('decodes the encodings that it names, and skips empty ones and identity', async () => {
    const bytes = gzipSync('text')
    for (const encoding of ['gzip', ' GZIP ', 'gzip,', ', gzip', 'identity, gzip, '])
      expect(await read(encoding, bytes), encoding).toBe('text')
    await expect(read('gzip, zstd', bytes)).rejects.toThrow('the content encoding zstd')
  })
})
