import { describe, expect, it } from 'vitest'
import { ReceiverAnswerExcerpt } from '../../src/delivery/attempt.ts'

/** What is kept of a body that arrives in chunks. */
function kept(...chunks: string[]): string {
  const start = new ReceiverAnswerExcerpt()
  for (const chunk of chunks) start.add(Buffer.from(chunk))
  return start.text()
}

describe('the response body of a receiver', () => {
  it('[DLV-07] is kept up to 300 characters, however many bytes they have', () => {
    expect(kept()).toBe('')
    expect(kept('x'.repeat(300))).toBe('x'.repeat(300))
    expect(kept('x'.repeat(301))).toBe('x'.repeat(300))
    expect(kept('👩'.repeat(300))).toBe('👩'.repeat(300))
    expect(kept('👩'.repeat(301))).toBe('👩'.repeat(300))
    expect(kept(`${'👩'.repeat(150)}${'x'.repeat(200)}`)).toBe(`${'👩'.repeat(150)}${'x'.repeat(150)}`)
    expect(kept('👩'.repeat(200))).toBe('👩'.repeat(200))
  })

  it('[DLV-07] is put together from its chunks', () => {
    expect(kept('a', '', 'b', 'c')).toBe('abc')
  })

  it('[DLV-07] has U+FFFD for invalid UTF-8', () => {
    const text = (...bytes: number[]) => {
      const excerpt = new ReceiverAnswerExcerpt()
      excerpt.add(Buffer.from(bytes))
      return excerpt.text()
    }
    expect(text(0x61, 0xff, 0x62, 0xc3)).toBe('a\ufffdb\ufffd')
    expect(text(...Array<number>(2_000).fill(0x80))).toBe('\ufffd'.repeat(300))
  })

  it('needs no more than the bytes of 300 characters', () => {
    const start = new ReceiverAnswerExcerpt()
    expect(start.add(Buffer.alloc(1199, 'x'))).toBe(true)
    expect(start.add(Buffer.alloc(0))).toBe(true)
    expect(start.add(Buffer.alloc(1000, 'y'))).toBe(false)
  })
})
