import { describe, expect, it } from 'vitest'
import { knownKeys } from '../../src/ui/keys.ts'

const ESCAPE = '\u001b'

describe('the keys that ink gets', () => {
  it.each([
    [
      'characters, arrows, pages and Escape',
      ['aé日\u001b[A\u001bOB\u001b[5~\u001b[1;5C\u001b\u001b[H\u001b'],
    ],
    ['half a sequence, of which the rest may follow', ['\u001b[1;']],
    ['control characters, one by one', ['a', '\u0003', '\u001a', '\b', '\u007f', '\u007f', '\r', '\n', 'b']],
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
})
