/** The parts of a client of the `redis` package, version 5 or 6, that the stores use. */
export interface RedisClient {
  /** `false` before the client connects and after it is closed. */
  readonly isOpen?: boolean | undefined
  /** `false` while the client reconnects and queues commands. */
  readonly isReady?: boolean | undefined
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** Error codes that are permanent. Others, such as LOADING, READONLY and OOM, are temporary. */
const PERMANENT = /^(?:ERR|WRONGTYPE|NOAUTH|NOPERM|WRONGPASS)\b/

/** Whether a command that failed would fail again. */
export function isPermanent({ isOpen }: RedisClient, { message }: Error): boolean {
  // biome-ignore lint/plugin: Redis begins its texts with their code
  return isOpen === false || PERMANENT.test(message)
}
