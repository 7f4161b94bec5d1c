import { describe, expect, it } from 'vitest'
import { Stopped } from '../src/failure.ts'
import { signalHandler } from '../src/signals.ts'

function start() {
  const stop = new AbortController()
  const exits: number[] = []
  let now = 1_000
  const handle = signalHandler(stop, { now: () => now, exit: (code) => exits.push(code) })
  const at = (ms: number, signal: NodeJS.Signals): void => {
    now = 1_000 + ms
    handle(signal)
  }
  return { stop, exits, at }
}

describe('signals', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('the first %s stops the command', (signal) => {
    const { stop, exits, at } = start()
    at(0, signal)
    expect([exits, stop.signal.reason instanceof Stopped && stop.signal.reason.signal]).toEqual([[], signal])
  })
  it('the same Ctrl-C from the terminal and from npm is one', () => {
    const { exits, at } = start()
    at(0, 'SIGINT')
    at(3, 'SIGINT')
    at(99, 'SIGINT')
    expect(exits).toEqual([])
  })
  it.each(['SIGINT', 'SIGTERM'] as const)('a second %s later ends the process with 130', (signal) => {
    const { exits, at } = start()
    at(0, signal)
    at(100, signal)
    expect(exits).toEqual([130])
  })
  it('a signal while the command ends because its output was closed ends the process', () => {
    const { stop, exits, at } = start()
    stop.abort(new Stopped('output closed'))
    at(0, 'SIGINT')
    expect(exits).toEqual([130])
  })
})
