/** Where a process may die: around a request or a save of the poll, and around what a receiver does too. */
export const POINTS = ['fetch', 'save', 'claim', 'handle', 'complete'] as const

export type Point = (typeof POINTS)[number]

/** What a process of `inbox-worker.ts` does. */
export interface InboxWorkerSettings {
  /** Name of the process in the log and in what it claims. */
  name: string
  roles: readonly ('receive' | 'poll' | 'work')[]
  baseUrl: string
  apiKey: string
  form: string
  /** File with the secret of the endpoint. */
  secret: string
  /** URL of PostgreSQL, whose queue keeps the responses. */
  database?: string | undefined
  /** URL of Redis, where the claims and the checkpoint are without a queue. */
  redis?: string | undefined
  /** Folder of the checkpoint, which is in Redis if there is one. */
  directory: string
  /** File that each call of the handler is appended to, and each record of one. */
  log: string
  /** Where the process sends itself SIGKILL. Without it, it lives until it is killed from outside. */
  diesAt?: { point: Point; side: 'before' | 'after'; time: number } | undefined
  concurrency?: number
  /** Milliseconds that a handler takes. */
  handlerMs?: number
  /** Ids of responses whose handler fails. */
  failing?: readonly number[]
  /** Attempts before a response is dead. */
  attempts?: number
  /** Milliseconds between two attempts at most. */
  maxRetryDelayMs?: number
}
