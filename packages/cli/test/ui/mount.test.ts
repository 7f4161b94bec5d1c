import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { Context } from '../../src/context.ts'
import { Stopped } from '../../src/failure.ts'
import { EarlyNotes } from '../../src/listen/early-notes.ts'
import type { Runtime } from '../../src/runtime.ts'
import { mountLiveView } from '../../src/ui/mount.tsx'

/** A command on a terminal, and what it writes there. */
function onTerminal() {
  const stop = new AbortController()
  const written: string[] = []
  const stream = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns: 80,
    write: (text: string) => written.push(text),
  })
  const stdin = Object.assign(new EventEmitter(), { isTTY: true, setRawMode: vi.fn(), read: () => null })
  const runtime = { env: {}, stdin, stdout: stream, stderr: stream, stop: stop.signal } as unknown as Runtime
  return { context: new Context(runtime, {}), stop, stdin, written }
}

it('does not open a live view after the command was stopped', async () => {
  const { context, stop, stdin, written } = onTerminal()
  const mounted = mountLiveView(context, {
    title: 'deliveries',
    columns: [],
    replay: vi.fn(),
    details: vi.fn(),
    text: vi.fn(),
  })
  stop.abort(new Stopped('interrupted'))
  await expect(mounted).rejects.toThrow('interrupted')
  expect([written, stdin.setRawMode.mock.calls, context.leaveView]).toEqual([[], [], undefined])
})

it('does not keep notes for a live view after the command was stopped', () => {
  const { context, stop, written } = onTerminal()
  stop.abort(new Stopped('interrupted'))
  expect(() => new EarlyNotes(context)).toThrow('interrupted')
  context.output.note('a note')
  expect(written.join('')).toMatch(/a note\n$/)
})
