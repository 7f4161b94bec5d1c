import { setTimeout as sleep } from 'node:timers/promises'
import type { CheckpointStore } from '@formwire/sdk'
import { createInbox, type Inbox } from '../../src/inbox/index.ts'
import type { InboxDedupe } from '../../src/inbox/options.ts'
import { type InboxWorkerSettings, POINTS, type Point } from '../process/inbox-worker-settings.ts'
import { type InboxProcess, type Logged, QueuePlaces } from './queue-places.ts'
import { seeded } from './random.ts'
import { clockOf, type Service } from './service.ts'
import { startUnreliableProxy, type UnreliableProxy } from './unreliable-proxy.ts'

/** Responses that wait to be handled, at most. */
const MAX_OPEN = 10
const DAY_MS = 86_400_000

type Roles = InboxWorkerSettings['roles']

/** What outlives the processes of an inbox. */
export interface InboxStores {
  /** URL of Redis. */
  redis: string
  checkpoint: CheckpointStore
  dedupe: InboxDedupe
  /** Ends what a dead process holds, as its deadline would. */
  expire(name: string): Promise<void>
}

interface Place {
  roles: Roles
  running?: { worker: InboxProcess; diesAt: InboxWorkerSettings['diesAt']; port?: number } | undefined
}

interface Given {
  here: QueuePlaces
  proxy: UnreliableProxy
  stores: InboxStores
  webhookId: number
}

/** A service whose deliveries come through an unreliable proxy, if at all, to processes that are killed. */
export class InboxChaos {
  readonly service: Service
  readonly form: string
  readonly proxy: UnreliableProxy
  readonly #given: Given
  readonly #places: Place[]
  readonly #random = seeded(11)
  #killed = 0
  #failure: Error | undefined

  /** @param places the roles of each process */
  static async start(places: readonly Roles[], stores: InboxStores): Promise<InboxChaos> {
    const here = await QueuePlaces.start()
    const proxy = await startUnreliableProxy(seeded(13))
    return new InboxChaos({ here, proxy, stores, webhookId: await here.endpoint(proxy.url) }, places)
  }

  private constructor(given: Given, places: readonly Roles[]) {
    this.service = given.here.service
    this.form = given.here.form
    this.proxy = given.proxy
    this.#given = given
    this.#places = places.map((roles) => ({ roles }))
  }

  /** Kills processes while responses come, then lets the retries of the service and a last poll catch up. */
  async run(kills: number): Promise<void> {
    while (this.#killed < kills) {
      for (const place of this.#places) if (!place.running) this.#start(place, this.#death(place))
      await this.#change()
      // Most die by themselves, at some point; the others are killed wherever they are, once they work.
      const place = this.#places[this.#random(this.#places.length)] as Place
      if (this.#random(5) === 0 && this.#isEndless(place)) await this.#kill(place)
      await this.#turn()
    }
    for (const place of this.#places) await this.#kill(place)
    this.proxy.isReliable = true
    const receivers = this.#places.filter(({ roles }) => roles.includes('receive'))
    for (const place of receivers) this.#start(place, undefined)
    while (this.proxy.ports.size < receivers.length) await this.#turn()
    // Longer than the service retries.
    await this.service.server.clock.advance(DAY_MS)
    await this.proxy.sendDelayed()
    for (const place of receivers) await this.#kill(place)
    await this.inbox().once()
  }

  /** An inbox of this process, with the same stores and log. */
  inbox(): Inbox {
    const { dedupe, checkpoint } = this.#given.stores
    return createInbox({
      formwire: this.service.client(),
      forms: [this.form],
      dedupe,
      checkpoint,
      handle: ({ id }, arrival) => this.#given.here.note(id, arrival),
      clock: clockOf(this.service, (ms) => sleep(ms)),
    })
  }

  /** Calls of the handler that returned, in order. */
  handled(): Logged[] {
    return this.#given.here.logged('handled')
  }

  /** Responses that exist and were never handled. */
  missing(): number[] {
    const ids = new Set(this.handled().map(({ id }) => id))
    return this.service.submitted(this.form).filter((id) => !ids.has(id))
  }

  /** Calls of the handler for responses that the same process had handled before, or another one had and recorded it. */
  repeated(): Logged[] {
    const recorded = new Set(this.#given.here.logged('recorded').map(({ id, process }) => `${id} ${process}`))
    const all = this.handled()
    return all.filter(({ id, process }, index) =>
      all
        .slice(0, index)
        .some((one) => one.id === id && (one.process === process || recorded.has(`${id} ${one.process}`))),
    )
  }

  async close(): Promise<void> {
    await this.#given.here.close()
    await this.proxy.close()
  }

  #start(place: Place, diesAt: InboxWorkerSettings['diesAt']): void {
    const worker = this.#given.here.open(place.roles, { redis: this.#given.stores.redis, diesAt })
    const running: Place['running'] = { worker, diesAt }
    place.running = running
    worker.child.stdout.on('data', (text) => {
      running.port = Number(text)
      this.proxy.ports.add(running.port)
    })
  }

  #death({ roles }: Place): InboxWorkerSettings['diesAt'] {
    if (this.#random(5) === 0) return undefined
    const points = roles.includes('poll') ? POINTS : POINTS.slice(2)
    return {
      point: points[this.#random(points.length)] as Point,
      side: this.#random(2) === 0 ? 'before' : 'after',
      time: 1 + this.#random(3),
    }
  }

  /** Waits a moment, and notices who has died. */
  async #turn(): Promise<void> {
    await sleep(1)
    for (const place of this.#places) {
      const { child } = place.running?.worker ?? {}
      if (child && (child.exitCode !== null || child.signalCode !== null)) await this.#bury(place)
    }
    if (this.#failure) throw this.#failure
  }

  async #kill(place: Place): Promise<void> {
    if (!place.running) return
    place.running.worker.child.kill('SIGKILL')
    await this.#bury(place)
  }

  async #bury(place: Place): Promise<void> {
    const { worker, port } = place.running as NonNullable<Place['running']>
    const { signal } = await worker.finished
    place.running = undefined
    if (port !== undefined) this.proxy.ports.delete(port)
    if (signal !== 'SIGKILL' || worker.stderr !== '')
      this.#failure ??= new Error(`${worker.name} ended with ${signal}: ${worker.stderr}`)
    this.#killed += 1
    await this.#given.stores.expire(worker.name)
  }

  /** Something happens in the service. */
  async #change(): Promise<void> {
    const { app, clock } = this.service.server
    const existing = this.service.submitted(this.form)
    const what = this.#random(10)
    if (what < 5) {
      if (this.missing().length < MAX_OPEN) app.responses.create(this.form, { deliver: what > 0 })
    } else if (what === 5) {
      // Rarely, since a deleted response cannot be missing.
      if (this.#random(10) === 0 && existing.length > MAX_OPEN)
        app.responses.delete(this.form, existing[this.#random(existing.length)] as number)
    } else if (what === 6) {
      const log = app.deliveries.list(this.form, this.#given.webhookId)
      const entry = log[this.#random(log.length)]
      if (entry && existing.includes(entry.response_id)) app.deliveries.replay(entry.id)
    } else if (what === 7) await this.proxy.sendDelayed()
    else if (what === 8) await clock.advance([1, 60_000, 300_000][this.#random(3)] as number)
  }

  /** Whether a process does not die by itself, and works. */
  #isEndless({ running }: Place): boolean {
    return (
      running !== undefined &&
      !running.diesAt &&
      this.handled().some(({ process }) => process === running.worker.name)
    )
  }
}
