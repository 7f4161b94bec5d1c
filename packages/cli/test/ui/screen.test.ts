import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { LEAVE, openScreen } from '../../src/ui/screen.ts'

it('gives the terminal back if the first frame cannot be painted', () => {
  const stdin = Object.assign(new EventEmitter(), { setRawMode: vi.fn(), read: () => null })
  let written = ''
  const terminal = Object.assign(new EventEmitter(), { write: (text: string) => (written += text) })
  const open = () =>
    openScreen({
      stdin: stdin as unknown as NodeJS.ReadStream,
      terminal: terminal as unknown as NodeJS.WriteStream,
      passes: [],
      content: () => {
        throw new Error('no content')
      },
      onError: vi.fn(),
    })
  expect(open).toThrow('no content')
  expect(written.endsWith(LEAVE)).toBe(true)
  expect(stdin.setRawMode.mock.calls).toEqual([[true], [false]])
  expect(terminal.listenerCount('resize')).toBe(0)
})
