/** What a process of `queue-worker.ts` does. */
export interface QueueWorkerSettings {
  /** Name of the process in the log. */
  name: string
  roles: readonly ('receive' | 'poll' | 'work')[]
  /** URL of PostgreSQL. */
  database: string
  baseUrl: string
  apiKey: string
  /** Folder of the checkpoints. */
  directory: string
  /** File with the secret of the endpoint. */
  secret: string
  /** File that each handled response is appended to. */
  log: string
  concurrency?: number
  /** Milliseconds that a handler takes. */
  handlerMs?: number
  /** How many handled responses later the process sends itself SIGKILL, before it is recorded. */
  diesAfter?: number
  /** Ids of responses whose handler fails. */
  failing?: readonly number[]
  /** Attempts before a response is dead. */
  attempts?: number
  /** Milliseconds between two attempts at most. */
  maxRetryDelayMs?: number
}
