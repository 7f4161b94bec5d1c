import { postgresBudget } from '@formwire/sdk/budget/postgres'
import { type QueueStatus, readQueueStatus } from '../engine/queue-status.ts'
import { forgetStops } from '../engine/stops.ts'
import { SyncUsageError } from '../errors.ts'
import { Once } from '../once.ts'
import { postgresStore } from '../postgres/index.ts'
import { deliveredResponse, type SubmittedEvent } from '../rows/row.ts'
import type { FormStatus } from '../status.ts'
import type { RunStatus } from '../watch/activity.ts'
import { type FleetOptions, readFleetOptions } from './options.ts'
import { FleetQueue } from './queue.ts'
import { Reports } from './reports.ts'
import { Worker } from './worker.ts'
import { Workspace } from './workspace.ts'

export type { QueueStatus } from '../engine/queue-status.ts'
export type { FullView } from '../store/scope.ts'
export type { FleetFailure, FleetOptions, FleetWorkspace } from './options.ts'

/** What a worker does. */
export interface WorkerStatus {
  workspaces: {
    name: string
    /** Why the work for this workspace has ended in this worker, or `undefined` while it continues. */
    error: unknown
  }[]
  /** The queue that all workers share. */
  queue: QueueStatus
}

/** One workspace in one worker. */
export interface WorkspaceStatus {
  name: string
  /** What this worker does for it. Other workers may do more. */
  status: RunStatus
  /** Reads the rows and the lag of each form; none before this worker has used the tables. @throws StoreError */
  forms(): Promise<FormStatus[]>
}

/** One worker of a fleet. Create it with {@link createFleet}. */
export interface Fleet {
  /**
   * Starts to take work from the queue, and resolves.
   *
   * @throws StoreError if the queue cannot be used, for example on a version of Node before 22.12.
   */
  start(): Promise<void>
  /** Takes no more work, waits up to 10 s for what is in progress, hands on the rest, and closes the connections. */
  stop(): Promise<void>
  /** Returns the state of the workspaces in this worker, and of the queue. @throws StoreError */
  status(): Promise<WorkerStatus>
  /** Returns what this worker does for each workspace, without a request or a query. */
  workspaces(): WorkspaceStatus[]
  /**
   * Returns handlers for `createReceiver({ on })` of `@formwire/webhook-verify`: a response is in the table as soon as its delivery is
   * acknowledged, and the next round reads its form. Works without `start()`.
   *
   * @param workspace whose deliveries these are; may be left out if there is only one.
   * @throws SyncUsageError for an unknown name
   */
  handlers(workspace?: string): { 'response.submitted': (event: SubmittedEvent) => Promise<void> }
}

/**
 * Creates one of any number of workers that keep the tables of many workspaces equal to the service. They share their work through a queue
 * in PostgreSQL, on `pg-boss`, which you install. Requires Node 22.12 or newer.
 *
 * @example
 * const fleet = createFleet({ connectionString, workspaces: [{ name: 'eu', apiKeys: [key] }] })
 * await fleet.start()
 * @throws SyncUsageError for an unknown or invalid option.
 */
export function createFleet(options: FleetOptions): Fleet {
  return new FleetWorker(options)
}

class FleetWorker implements Fleet {
  readonly #settings: ReturnType<typeof readFleetOptions>
  readonly #root: ReturnType<typeof postgresStore>
  readonly #workspaces: ReadonlyMap<string, Workspace>
  readonly #starting = new Once(() => this.#start())
  #stopping: Promise<void> | undefined

  constructor(options: FleetOptions) {
    const settings = readFleetOptions(options)
    this.#settings = settings
    const { connectionString, workspaces, queueSchema, poolSize, transactionIdleMs } = settings
    this.#root = postgresStore({ connectionString, poolSize, transactionIdleMs })
    const budget = postgresBudget({ connectionString, schema: queueSchema })
    const shared = { root: this.#root, budget, owners: new Map() }
    this.#workspaces = new Map(
      workspaces.map((workspace) => [workspace.name, new Workspace(settings, workspace, shared)]),
    )
  }

  async start(): Promise<void> {
    const { signal } = this.#settings
    if (this.#stopping) throw new SyncUsageError('The fleet was stopped; create another one.')
    if (signal?.aborted) return
    await this.#starting.run()
    if (signal?.aborted) return await this.stop()
    signal?.addEventListener('abort', () => void this.stop(), { once: true })
  }

  async #start(): Promise<{ queue: FleetQueue; worker: Worker }> {
    const { connectionString, queueSchema: schema, poolSize: connections } = this.#settings
    const reports = new Reports(this.#settings)
    const onError = (error: unknown): void => reports.failed({ workspace: undefined, error, ended: false })
    const queue = await FleetQueue.open({ connectionString, schema, connections, onError })
    await forgetStops(this.#root, { schema, except: [...this.#workspaces.keys()] })
    return { queue, worker: new Worker(this.#settings, queue, this.#workspaces, reports) }
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    const started = await this.#starting.settled()
    await started?.worker.stop()
    await started?.queue.close()
    for (const workspace of this.#workspaces.values()) await workspace.close()
    await this.#root.close()
  }

  async status(): Promise<WorkerStatus> {
    const none: QueueStatus = { queued: 0, active: 0, retrying: 0, failed: 0, oldest_seconds: 0 }
    return {
      workspaces: [...this.#workspaces.values()].map(({ name, error }) => ({ name, error })),
      queue: (await readQueueStatus(this.#root, this.#settings.queueSchema)) ?? none,
    }
  }

  workspaces(): WorkspaceStatus[] {
    return [...this.#workspaces.values()].map((workspace) => ({
      name: workspace.name,
      status: workspace.activity.status(),
      forms: () => workspace.forms(),
    }))
  }

  handlers(name?: string): ReturnType<Fleet['handlers']> {
    const all = [...this.#workspaces.values()]
    const workspace = name === undefined && all.length === 1 ? all[0] : this.#workspaces.get(name ?? '')
    if (!workspace)
      throw new SyncUsageError(
        `handlers() requires the name of a workspace: ${all.map((one) => JSON.stringify(one.name)).join(', ')}.`,
      )
    return {
      'response.submitted': async (event) => {
        if (workspace.isChosen(event.form.id)) await workspace.deliver(deliveredResponse(event))
      },
    }
  }
}
