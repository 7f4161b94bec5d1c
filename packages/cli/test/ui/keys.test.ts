import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { keyStream, knownKeys } from '../../src/ui/keys.ts'

const ESCAPE = '\u001b'

describe('the keys that ink gets', () => {
  it.each([
    [
      'characters, arrows, pages and Escape',
      ['aé日\u001b[A\u001bOB\u001b[5~\u001b[1;5C\u001b\u001b[H\u001b'],
    ],
    ['half a sequence, of which the rest may follow', ['\u001b[1;']],
    ['control characters, one by one', ['a', '\u0003', '\u001a', '\b', '\u007f', '\u007f', '\r', 'b']],
  ])('are %s', (_what, parts) => {
    expect(knownKeys(parts.join(''), true)).toEqual(parts)
  })

  it.each(['[1;5P', '[1;5S', '[1;5I', '[25;5~', '[29;5~', '[31m', '[I', '[[A', 'OP', '[Z'])(
    'are not the sequence ESC %s, which ink throws on or types',
    (sequence) => {
      expect(knownKeys(`a${ESCAPE}${sequence}b`, true)).toEqual(['ab'])
    },
  )

  it.each([
    ['OSC up to BEL', ']11;rgb:ffff/ffff/ffff\u0007'],
    ['OSC up to ST', ']11;rgb:ffff/ffff/ffff\u001b\\'],
    ['DCS', 'P1$r0m\u001b\\'],
    ['APC', '_Gi=31;OK\u001b\\'],
    ['PM', '^q\u001b\\'],
    ['a reply that never ends', ']11;rgb:\u0007'],
  ])('are no reply of the terminal: %s', (_name, reply) => {
    expect(knownKeys(`a${ESCAPE}${reply}b`, true)).toEqual(['ab'])
  })

  it('are no other control characters, whose letters ink types', () => {
    expect(knownKeys('a\u0001\u0007b', true)).toEqual(['a', 'b'])
  })

  it('have the marks around a pasted text only for what is told of them', () => {
    const pasted = `${ESCAPE}[200~q${ESCAPE}[31m\rr${ESCAPE}${ESCAPE}[201~`
    expect(knownKeys(pasted, true)).toEqual([`${ESCAPE}[200~q`, '\r', `r${ESCAPE}${ESCAPE}[201~`])
    expect(knownKeys(pasted, false)).toEqual(['q', '\r', 'r'])
  })

  it('have Enter for a line feed', () => {
    expect(knownKeys('a\n', true)).toEqual(['a', '\r'])
  })

  it('come one after another, and those of a sequence that arrives in two parts as one', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const stdin = Object.assign(new PassThrough({ encoding: 'utf8' }), { ref() {}, unref() {} })
    const keys = keyStream(stdin as never, false)
    const read: string[][] = []
    stdin.on('readable', () => {
      const parts: string[] = []
      for (let part = keys.read(); part !== null; part = keys.read())
        if (part !== '') parts.push(String(part))
      if (parts.length > 0) read.push(parts)
    })
    const readAfter = async (text: string, ms = 0) => {
      if (text !== '') stdin.write(text)
      await vi.advanceTimersByTimeAsync(ms)
      return read.splice(0)
    }
    expect(await readAfter('abc\rd', 10)).toEqual([['abc'], ['\r'], ['d']])
    expect(await readAfter(ESCAPE, 10)).toEqual([])
    expect(await readAfter('[A')).toEqual([[`${ESCAPE}[A`]])
    expect(await readAfter(ESCAPE, 29)).toEqual([])
    expect(await readAfter('', 1)).toEqual([[ESCAPE]])
  })
})
