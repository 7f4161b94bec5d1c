import { describe, expect, it } from 'vitest'
import { interrupt } from '../src/interrupt.ts'

function fakeProcess(platform: NodeJS.Platform, hasListener: boolean) {
  const calls: string[] = []
  return {
    calls,
    pid: 7,
    platform,
    kill: (pid: number, signal?: string | number) => {
      calls.push(`kill ${pid} ${signal}`)
      return true as const
    },
    emit: (event: string) => {
      calls.push(`emit ${event}`)
      return hasListener
    },
  }
}

describe('interrupt()', () => {
  it.each([
    ['linux', true, ['kill 7 SIGINT']],
    ['darwin', true, ['kill 7 SIGINT']],
    ['win32', true, ['emit SIGINT']],
    ['win32', false, ['emit SIGINT', 'kill 7 SIGINT']],
  ] as const)('runs the clean-up on %s (listener: %s)', (platform, hasListener, calls) => {
    const target = fakeProcess(platform, hasListener)
    interrupt(target)
    expect(target.calls).toEqual(calls)
  })
})
