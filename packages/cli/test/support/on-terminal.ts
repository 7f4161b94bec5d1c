import { EventEmitter } from 'node:events'
import { vi } from 'vitest'
import { Context } from '../../src/context.ts'
import { Output } from '../../src/output/output.ts'
import type { Runtime, TextStream } from '../../src/runtime.ts'

/** Returns the context of a command on a terminal, and what it writes there. */
export function onTerminal(clock?: Runtime['clock']) {
  const stop = new AbortController()
  const written: string[] = []
  const terminal = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns: 80,
    rows: 24,
    write: (text: string) => written.push(text),
  })
  const stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: vi.fn(),
    setEncoding: vi.fn(),
    ref: vi.fn(),
    unref: vi.fn(),
    read: () => null,
  })
  const runtime = { env: {}, stdin, stdout: terminal, stderr: terminal, clock, stop: stop.signal }
  return { context: new Context(runtime as unknown as Runtime, {}), stop, stdin, terminal, written }
}

/** Returns an output whose two streams are one terminal without colours, and what it writes there. */
export function outputOn(columns: number) {
  const written: string[] = []
  const write: TextStream['write'] = (text, done) => {
    written.push(text)
    done?.()
    return true
  }
  const stream = { isTTY: true, columns, write }
  const runtime = { env: {}, stdout: stream, stderr: stream } as unknown as Runtime
  return { output: new Output(runtime, { json: false, quiet: false, noColour: true }), written }
}
