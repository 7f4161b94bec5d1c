/** Where a process may die: around a request or a save of the poll, and around what a receiver does too. */
export const POINTS = ['fetch', 'save', 'claim', 'handle', 'complete'] as const

export type Point = (typeof POINTS)[number]

/** What a process of `inbox-worker.ts` does. */
export interface InboxWorkerSettings {
  /** Name of the process in the log and in what it claims. */
  name: string
  roles: readonly ('receive' | 'poll')[]
  baseUrl: string
  apiKey: string
  form: string
  secret: string
  redis: { url: string; prefix: string } | undefined
  /** Folder of the checkpoint; without one it is in Redis. */
  directory: string | undefined
  /** File that each handled response is appended to, and each record of that. */
  log: string
  /** Where the process sends itself SIGKILL. Without it, it lives until it is killed from outside. */
  diesAt: { point: Point; side: 'before' | 'after'; time: number } | undefined
}
