import type { BuiltInReceiver as BuiltInReceiverView, ReceiverStep } from '@formwire/contract/control'
import type { Context } from '../context.ts'
import { lazy } from '../lazy.ts'
import type { State } from '../store/state.ts'
import { Receivers } from './receivers.ts'

export type BuiltInReceiver = ReturnType<typeof createBuiltInReceiver>

/**
 * The receiver that the endpoints of the demo point to, so that their deliveries succeed without a program of the user's. It
 * listens on a free loopback port, which the endpoints follow. It verifies no signatures, since a secret may be rotated.
 */
export function createBuiltInReceiver(context: Pick<Context, 'clock' | 'state'>) {
  const receivers = new Receivers(context.clock, { receivers: 1 })
  let started: { readonly id: number; readonly url: string } | undefined
  const startOnce = lazy(async () => {
    started = await receivers.create({})
    return started.id
  })

  /** Returns the receiver, or `null` before it was started. */
  const running = (): BuiltInReceiverView | null => {
    if (!started) return null
    const { url, script } = receivers.get(started.id)
    const [{ steps_left, received } = { steps_left: 0, received: 0 }] = receivers.states()
    return { url, script, steps_left, received }
  }
  /** Points the endpoints that are marked as built in to the port of this start. Does nothing before it is running. */
  const connect = (): void => {
    if (!started) return
    const { endpoints } = context.state
    const { origin } = new URL(started.url)
    for (const endpoint of endpoints.all()) {
      if (!endpoint.builtIn) continue
      const { pathname, search } = new URL(endpoint.url)
      endpoints.put({ ...endpoint, url: origin + pathname + search })
    }
  }

  return {
    running,
    connect,
    /** Starts the receiver, unless it is running, and points the endpoints of the demo to it. Rejects once the server closes. */
    async start(): Promise<BuiltInReceiverView> {
      await startOnce()
      connect()
      return running() as BuiltInReceiverView
    },
    /** Replaces the script. Throws 422 for an invalid one. */
    async setScript(script: ReceiverStep[]): Promise<BuiltInReceiverView> {
      await receivers.update(await startOnce(), { script })
      return running() as BuiltInReceiverView
    },
    /** Removes the script and what was recorded. The port stays. */
    restart(): void {
      if (started) receivers.restart(started.id)
    },
    close: (): Promise<void> => receivers.close(),
  }
}

export const needsBuiltInReceiver = ({ endpoints }: State): boolean =>
  endpoints.all().some(({ builtIn }) => builtIn)
