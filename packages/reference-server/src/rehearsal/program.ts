import type { Clock, SleepClock } from '@formwire/internal/clock'

/** What a program is started with. `formwire rehearse` passes it as environment variables. */
export interface RehearsalEnvironment {
  /** Root of the service, without `/api/v1`, such as `http://127.0.0.1:40123`. */
  readonly baseUrl: string
  /** A write key of the workspace. */
  readonly apiKey: string
  /** Form whose responses are to be handled. It is published and has one question, `answer`. */
  readonly formId: string
  /** Current secret of the endpoint: another one after a rotation. Empty without `webhook`. */
  readonly webhookSecret: string
  /** Port on 127.0.0.1 where deliveries arrive. It stays the same for all starts of a run. */
  readonly port: number
  /** Absolute path of a folder, which is empty at the start of a run. Its files outlive restarts, and are deleted after the run. */
  readonly directory: string
  /** Time of the service: for `clock` of the SDK, and `now` of a receiver, which would otherwise find timestamps of the manual clock too new. */
  readonly clock: Clock & SleepClock
}

/** A program that runs, as returned by `start`. */
export interface RehearsalProgram {
  /** Ends it immediately, without letting it save anything, and frees its port. An error is ignored once the run is over. */
  kill(): Promise<void> | void
  /** Asks it to end, as SIGTERM does, and waits until it has ended and freed its port. @default kill */
  stop?(): Promise<void> | void
  /** Resolves when it has ended by itself, to a description such as `exit code 1`. The run then fails with `program_ended`. */
  readonly ended?: Promise<string>
}

/** What is rehearsed: how to start it, and how to find out what it has handled. */
export interface RehearsedProgram {
  /** Starts the program; called again after each restart, in the same environment except for a new secret. */
  start(environment: RehearsalEnvironment): Promise<RehearsalProgram> | RehearsalProgram
  /** Returns the ids of the responses that it has handled, each as often as it was handled. Called several times while the program runs. If it throws, the run fails with `not_reachable`; if an id is not an integer, the rehearsal rejects. */
  handled(environment: RehearsalEnvironment): Promise<Iterable<number>> | Iterable<number>
}
