import { inject, onTestFinished } from 'vitest'
import { type Spawned, start } from '../../../test/support/spawn.ts'

/** Starts `formwire-server` in a process of its own, which is killed at the end of the test. */
export function run(args: readonly string[], env: Record<string, string> = {}): Spawned {
  const server = start(
    [inject('programs')['reference-server'], ...args],
    { ...process.env, NODE_EXTRA_CA_CERTS: undefined, ...env },
    '',
  )
  onTestFinished(() => {
    server.child.kill('SIGKILL')
  })
  return server
}
