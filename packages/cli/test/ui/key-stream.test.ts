import { EventEmitter } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { KeyStream, PASTE_END, PASTE_START } from '../../src/ui/key-stream.ts'

function setUp(...passes: string[]) {
  const chunks: string[] = []
  const stdin = Object.assign(new EventEmitter(), {
    setRawMode: vi.fn(),
    read: () => chunks.shift() ?? null,
  })
  const stream = new KeyStream(stdin as unknown as NodeJS.ReadStream, passes)
  const keys: string[] = []
  stream.on('readable', () => {
    for (let key = stream.read(); key !== null; key = stream.read()) keys.push(key)
  })
  stream.open()
  stream.setRawMode(true)
  const send = (...texts: string[]): void => {
    chunks.push(...texts)
    stdin.emit('readable')
  }
  /** Returns the keys that were passed on until so much later. */
  const read = async (ms = 60) => {
    await vi.advanceTimersByTimeAsync(ms)
    // They come one a turn.
    for (let turns = 0; turns < 20; turns += 1) await turn()
    return keys.splice(0)
  }
  return { stdin, stream, send, read }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const ESCAPE_KEY = '\u001b[27u'

describe('the keys of a terminal', () => {
  it('are read one by one, also if they arrive together', async () => {
    const { send, read } = setUp()
    send('aé日\u001b[A\u001bOB\u001b[5~\u001b[1;5C\u001b\u001b[H\u007f\n')
    expect(await read()).toEqual([
      'a',
      'é',
      '日',
      '\u001b[A',
      '\u001bOB',
      '\u001b[5~',
      '\u001b[1;5C',
      '\u001b\u001b[H',
      '\u007f',
      '\r',
    ])
  })

  it.each(['[1;5P', '[1;5S', '[1;5I', '[25;5~', '[29;5~', '[31m', '[I', '[[A', 'OP', '[Z', 'q', '[200', 'O'])(
    'leave out the sequence ESC %s, which no key is bound to',
    async (sequence) => {
      const { send, read } = setUp()
      send(`\u001b${sequence}`)
      await read()
      send('a')
      expect(await read()).toEqual(['a'])
    },
  )

  it('read a sequence that arrives in two chunks, and Escape if nothing follows', async () => {
    const { send, read } = setUp()
    send('\u001b')
    await vi.advanceTimersByTimeAsync(20)
    send('[')
    await vi.advanceTimersByTimeAsync(20)
    send('B', '\u001b[1;', '5P')
    expect(await read()).toEqual(['\u001b[B'])
    send('\u001b')
    expect(await read(5)).toEqual([])
    expect(await read()).toEqual([ESCAPE_KEY])
    send('\u001b\u001b\u001b')
    expect(await read()).toEqual([ESCAPE_KEY, ESCAPE_KEY, ESCAPE_KEY])
  })

  it('are no keys in a pasted text, whose marks may arrive in two chunks', async () => {
    const { send, read } = setUp(PASTE_START, PASTE_END)
    send('\u001b[200~q\u001b[31m\u001b[1;5Pr\n\u001b[2')
    expect(await read()).toEqual([PASTE_START, 'q', 'r\n'])
    send('01~\u001b[A')
    expect(await read()).toEqual([PASTE_END, '\u001b[A'])
    const picker = setUp()
    picker.send('\u001b[200~q\r\nr\u001b[201~')
    expect(await picker.read()).toEqual(['q r'])
  })

  it('come back after a pasted text that ends in Escape, which may hide its mark', async () => {
    const { send, read } = setUp(PASTE_START, PASTE_END)
    send('\u001b[200~a\u001b\u001b[201~b')
    expect(await read()).toEqual([PASTE_START, 'a', PASTE_END, 'b'])
    send('\u001b[200~a\u001b', '\u001b[20', '1~b')
    expect(await read()).toEqual([PASTE_START, 'a', PASTE_END, 'b'])
    send('\u001b[200~a\u001b[3\u001b[201~b')
    expect(await read()).toEqual([PASTE_START, 'a', PASTE_END, 'b'])
  })

  it('include an Escape that was pressed right before a text is pasted', async () => {
    const { send, read } = setUp(PASTE_START, PASTE_END)
    send('\u001b\u001b[200~q\u001b[201~')
    expect(await read()).toEqual([ESCAPE_KEY, PASTE_START, 'q', PASTE_END])
  })

  it.each([
    ['OSC up to BEL', ']11;rgb:ffff/ffff/ffff\u0007'],
    ['OSC up to ST', ']11;rgb:ffff/ffff/ffff\u001b\\'],
    ['DCS', 'P1$r0m\u001b\\'],
    ['APC', '_Gi=31;OK\u001b\\'],
    ['PM', '^q\u001b\\'],
  ])('leave out a reply of the terminal (%s), also in two chunks', async (_name, reply) => {
    const { send, read } = setUp()
    send(`a\u001b${reply}b`)
    expect(await read()).toEqual(['a', 'b'])
    for (const at of [3, reply.length - 1]) {
      send(`\u001b${reply.slice(0, at)}`)
      expect(await read()).toEqual([])
      send(`${reply.slice(at)}b`)
      expect(await read()).toEqual(['b'])
    }
  })

  it('come back after a reply that never ends', async () => {
    const { send, read } = setUp()
    send('\u001b]11;rgb:')
    expect(await read(2000)).toEqual([])
    send('q')
    expect(await read()).toEqual(['q'])
    send('\u001b]11;rgb:\u0003')
    expect(await read()).toEqual(['\u0003'])
    send(`\u001b]52;c;${'A'.repeat(5000)}`)
    send('q')
    expect(await read()).toEqual(['q'])
    // Alt and the character with which replies begin.
    send('\u001b]')
    expect(await read()).toEqual([])
    send('q')
    expect(await read()).toEqual(['q'])
  })

  it('wait, in raw mode, until the next one reads them', async () => {
    const { stdin, stream, send, read } = setUp()
    stream.setRawMode(false)
    send('a\u001b[A')
    expect(await read()).toEqual([])
    stream.setRawMode(true)
    expect(await read()).toEqual(['a', '\u001b[A'])
    expect(stdin.setRawMode).not.toHaveBeenCalledWith(false)
  })

  it('are left to others afterwards', async () => {
    const { stdin, stream, send, read } = setUp()
    send('ab')
    stream.close()
    expect(await read()).toEqual([])
    expect(stdin.listenerCount('readable')).toBe(0)
    expect(stdin.setRawMode).toHaveBeenLastCalledWith(false)
  })
})
