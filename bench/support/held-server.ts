import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { createReferenceServer } from '@formwire/reference-server'

/** How often the server's process looks at its event loop, in milliseconds. */
const RESOLUTION_MS = 1
const SETTLE_MS = 20

interface Listening {
  readonly url: string
  readonly adminToken: string
  readonly writeKey: string
}

export interface HeldServer extends Listening {
  /** The longest time that the event loop was held since the last call, in milliseconds. */
  longestHoldMs(): Promise<number>
  stop(): void
}

/** Starts a server in its own process that measures its own event loop. */
export async function startHeldServer(): Promise<HeldServer> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['serve'], { execArgv: process.execArgv })
  const [listening] = (await once(child, 'message')) as [Listening]
  return {
    ...listening,
    async longestHoldMs() {
      child.send('longest')
      const [{ longestMs }] = (await once(child, 'message')) as [{ longestMs: number }]
      return longestMs
    },
    stop: () => child.disconnect(),
  }
}

async function serve(): Promise<void> {
  const server = createReferenceServer({ limits: { requestsPerMinute: Number.POSITIVE_INFINITY } })
  const { url } = await server.listen({ port: 0 })
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let since = process.cpuUsage()
  process.on('message', () => {
    // A hold is counted by the first tick after it, and the first tick after a reset counts nothing: both are waited for.
    setTimeout(() => {
      const { user, system } = process.cpuUsage(since)
      // Waiting for a core is not a hold: a hold cannot be longer than the processor time used.
      const longestMs = Math.max(0, Math.min(delay.max / 1e6 - RESOLUTION_MS, (user + system) / 1000))
      delay.reset()
      since = process.cpuUsage()
      setTimeout(() => process.send?.({ longestMs }), SETTLE_MS)
    }, SETTLE_MS)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ url, adminToken: server.adminToken, writeKey: server.writeKey } satisfies Listening)
}

if (process.argv[2] === 'serve') await serve()
