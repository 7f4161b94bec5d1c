import { expect, it, onTestFinished, vi } from 'vitest'
import { Stopped } from '../../src/failure.ts'
import { EarlyNotes } from '../../src/listen/view.ts'
import { mountLiveView } from '../../src/ui/mount.tsx'
import { LEAVE, openScreen } from '../../src/ui/screen.ts'
import { onTerminal } from '../support/on-terminal.ts'

it('does not open a live view after the command was stopped', async () => {
  const { context, stop, stdin, written } = onTerminal()
  const mounted = mountLiveView(context, {
    title: 'deliveries',
    nouns: ['delivery', 'deliveries'],
    columns: [],
    replay: vi.fn(),
    details: vi.fn(),
    text: vi.fn(),
  })
  stop.abort(new Stopped('interrupted'))
  await expect(mounted).rejects.toThrow('interrupted')
  expect([written, stdin.setRawMode.mock.calls, context.leaveView]).toEqual([[], [], undefined])
})

it('[AUTH-02] hides the secrets of the command in the title', async () => {
  const { context, written } = onTerminal()
  context.hide('hunter42')
  const title = 'listening · forwarding to http://localhost/hunter42'
  const nouns = ['delivery', 'deliveries'] as const
  await mountLiveView(context, { title, nouns, columns: [], details: vi.fn(), text: vi.fn() })
  await context.cleanUp()
  expect(written.join('')).toContain('forwarding to http://localhost/[redacted]')
  expect(written.join('')).not.toContain('hunter42')
})

it('does not keep notes for a live view after the command was stopped', () => {
  const { context, stop, written } = onTerminal()
  stop.abort(new Stopped('interrupted'))
  expect(() => new EarlyNotes(context)).toThrow('interrupted')
  context.output.note('a note')
  expect(written.join('')).toMatch(/a note\n$/)
})

it('gives the terminal back if the first frame cannot be painted', () => {
  const { stdin, terminal, written } = onTerminal()
  const open = () =>
    openScreen({
      stdin: stdin as unknown as NodeJS.ReadStream,
      terminal: terminal as unknown as NodeJS.WriteStream,
      pastes: false,
      content: () => {
        throw new Error('no content')
      },
      onError: vi.fn(),
    })
  expect(open).toThrow('no content')
  expect(written.at(-1)).toBe(LEAVE)
  expect(stdin.setRawMode.mock.calls).toEqual([[true], [false]])
  expect(terminal.listenerCount('resize')).toBe(0)
})

it('ends with 1 if it cannot be painted later, and says what to do', async () => {
  // ink explains the error to developers.
  const warnings = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => warnings.mockRestore())
  const { context, written } = onTerminal()
  const nouns = ['delivery', 'deliveries'] as const
  const columns = [{ header: 'Note', text: () => '', width: 9 }]
  const view = { title: 'deliveries', nouns, columns, details: vi.fn(), text: vi.fn() }
  const { model, quit } = await mountLiveView(context, view)
  const broken = (): string => {
    throw new Error('no text')
  }
  model.put({ key: 'a', cells: [broken], tone: 'good' })
  await expect(quit).rejects.toMatchObject({
    message: 'could not show the live view: no text',
    exitCode: 1,
    hint: 'to print plain lines instead, add --view lines',
  })
  await context.cleanUp()
  expect(written.join('')).toContain(LEAVE)
})
