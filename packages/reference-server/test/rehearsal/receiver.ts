import type { ServerResponse } from 'node:http'
import {
  type RehearsalEnvironment,
  type RehearsalReport,
  type RehearseOptions,
  rehearse,
} from '../../src/rehearsal/index.ts'
import { listens } from './listens.ts'

/** What a program does with the delivery of a response. It is answered with 204 unless this has answered it. */
export type Handle = (delivery: {
  readonly id: number
  readonly deliveryId: string
  readonly response: ServerResponse
  /** Of the run; both outlive restarts. */
  readonly handled: number[]
  readonly remembered: Set<unknown>
  /** How often the program was started in this run. */
  readonly starts: number
}) => Promise<void> | void

/** Handles each response once. */
export const handleOnce: Handle = ({ id, handled }) => {
  if (!handled.includes(id)) handled.push(id)
}

/** How else a receiver behaves. */
interface Behaviour {
  /** Called at each start. The signal aborts when the receiver is stopped. */
  readonly whileRunning?:
    | ((environment: RehearsalEnvironment, signal: AbortSignal) => Promise<void>)
    | undefined
  readonly onStop?: (how: 'kill' | 'stop') => void
  readonly ended?: Promise<string>
  /** What it says that it has handled in a run. @default what it has */
  readonly answer?: (handled: readonly number[]) => readonly number[]
}

/** Rehearses a receiver in this process. */
export function rehearseReceiver(
  handle: Handle,
  options: Partial<RehearseOptions> = {},
  { whileRunning, onStop, ended, answer = (handled) => handled }: Behaviour = {},
): Promise<RehearsalReport> {
  const disks = new Map<string, { handled: number[]; remembered: Set<unknown>; starts: number }>()
  return rehearse({
    webhook: '/hooks',
    async start(environment) {
      const disk = disks.get(environment.directory) ?? { handled: [], remembered: new Set(), starts: 0 }
      disks.set(environment.directory, disk)
      disk.starts += 1
      const program = await listens(environment.port, async (request, response) => {
        const { event, response: given } = JSON.parse(Buffer.concat(await request.toArray()).toString())
        const deliveryId = request.headers['x-service-delivery'] as string
        if (event === 'response.submitted') await handle({ id: given.id, deliveryId, response, ...disk })
        if (!response.headersSent && !response.destroyed) response.writeHead(204).end()
      })
      const end = new AbortController()
      whileRunning?.(environment, end.signal).catch(() => undefined)
      const stop = (how: 'kill' | 'stop') => (): Promise<void> => {
        onStop?.(how)
        end.abort()
        return program.kill()
      }
      return { ...(ended && { ended }), kill: stop('kill'), stop: stop('stop') }
    },
    handled: ({ directory }) => answer(disks.get(directory)?.handled ?? []),
    ...options,
  })
}
