import { expect, it } from 'vitest'
import {
  AbortError,
  CheckpointError,
  type CheckpointStore,
  Formwire,
  type Lease,
  LeaseLostError,
  type PollState,
} from '../../src/index.ts'
import { filled } from '../support/poll.ts'

const state = (since: string, ...ids: number[]): PollState => ({ version: 1, since, ids })
export const A = state('2026-11-21T09:30:00.000Z', 1, 2)
const B = state('2026-11-21T09:30:01.000Z', 3)

/** A store with leases, and a look behind it. */
export interface CheckpointUnderTest {
  /** Opens a store as another process would. */
  store(leaseMs: number, owner?: () => string): CheckpointStore
  /** Replaces the text of a state. */
  setState(key: string, text: string): Promise<unknown>
  /** Names a state in errors. */
  place(key: string): string
  /** Ends a lease as if its time were over. */
  expireLease(key: string): Promise<unknown>
  /** Deletes everything about a key. */
  forget(key: string): Promise<unknown>
  /** Returns the token of the lease. */
  holder(key: string): Promise<string | null>
  /** Replaces the token of the lease. */
  giveLeaseTo(key: string, token: string): Promise<unknown>
  /** Milliseconds until the lease expires. */
  expiresIn(key: string): Promise<number>
}

/** The cases that every store with leases must pass. */
export function describeLeasedCheckpoint(opened: () => CheckpointUnderTest): void {
  const store = (leaseMs = 10_000, owner?: () => string) => opened().store(leaseMs, owner)

  it('loads the saved state of each key', async () => {
    expect(await store().load('form')).toBeUndefined()
    await store().save('form', A)
    expect(await store().load('form')).toEqual(A)
    expect(await store().load('other')).toBeUndefined()
  })

  it.each(['not json', 'null', '5', '{"version":2}'])('rejects %j in place of a state', async (text) => {
    await opened().setState('form', text)
    await expect(store().load('form')).rejects.toThrow(CheckpointError)
    await expect(store().load('form')).rejects.toThrow(
      `The checkpoint ${opened().place('form')} is damaged or not version 1; remove it to start over.`,
    )
  })

  it('[POLL-02] lets one of many pollers run, and the next one after its release', async () => {
    const first = await store(3000).acquire?.('form')
    let second: unknown
    const waiting = store(3000)
      .acquire?.('form')
      .then((lease) => {
        second = lease
        return lease
      })
    await first?.save('form', A)
    expect(second).toBeUndefined()
    await first?.release()
    const lease = await waiting
    expect(await store().load('form')).toEqual(A)
    await lease?.release()
  })

  it('[POLL-02] rejects the save of a poller that lost its lease, and aborts its lost signal', async () => {
    const first = await store().acquire?.('form')
    await first?.save('form', A)
    // Its lease ran out while it was stuck, and another one took over.
    await opened().expireLease('form')
    const second = await store().acquire?.('form')
    await second?.save('form', B)
    await expect(first?.save('form', A)).rejects.toThrow(LeaseLostError)
    expect(first?.lost.aborted).toBe(true)
    expect(await store().load('form')).toEqual(B)
    await first?.release()
    await second?.save('form', B)
    await second?.release()
  })

  it.each([undefined, () => 'worker'])(
    '[POLL-02] rejects the save of an old lease after the store lost its data (owner: %s)',
    async (owner) => {
      const first = await store(10_000, owner).acquire?.('form')
      await first?.save('form', A)
      await opened().forget('form')
      const second = await store(10_000, owner).acquire?.('form')
      await second?.save('form', B)
      await expect(first?.save('form', A)).rejects.toThrow(LeaseLostError)
      expect(first?.lost.aborted).toBe(true)
      expect(await store().load('form')).toEqual(B)
      await first?.release()
      // Neither did the old one release the lease of the new one.
      await second?.save('form', B)
      expect(await opened().holder('form')).toBeTypeOf('string')
      await second?.release()
    },
  )

  it('renews the lease while it is held, and detects its loss', async () => {
    // It is renewed every two seconds. Long enough that a busy machine does not lose it.
    const lease = await store(6000).acquire?.('form')
    const expiresIn = () => opened().expiresIn('form')
    let last = await expiresIn()
    for (let next = last; next <= last; next = await expiresIn()) last = next
    const lost = new Promise((resolve) => lease?.lost.addEventListener('abort', resolve))
    await opened().giveLeaseTo('form', 'someone else')
    await lost
    expect(lease?.lost.reason).toBeInstanceOf(LeaseLostError)
    await lease?.release()
    expect(await opened().holder('form')).toBe('someone else')
  })

  it('stops waiting when its signal aborts', async () => {
    const held = await store().acquire?.('form')
    const controller = new AbortController()
    const waiting = store().acquire?.('form', controller.signal)
    setImmediate(() => controller.abort())
    await expect(waiting).rejects.toThrow(AbortError)
    await held?.release()
  })

  it('[POLL-02] yields each response once to one of two polls of a form that both run to the end', async () => {
    const model = filled(250, 1_000_000n)
    const given: number[] = []
    const run = async (leaveAfter: number): Promise<void> => {
      const formwire = new Formwire({ apiKey: 'svc_k', transport: model.transport, rateLimit: false })
      let count = 0
      for await (const { id } of formwire.responses.poll('abcdefghijkl', {
        checkpoint: store(3000),
        once: true,
      })) {
        if (count === leaveAfter) return
        given.push(id)
        count += 1
      }
    }
    await Promise.all([run(100), run(Number.POSITIVE_INFINITY), run(50)])
    expect(given.sort((a, b) => a - b)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1))
  })
}

/** Expects a store and its lease to fail as in an outage. */
export async function expectOutage(store: CheckpointStore, lease: Lease | undefined): Promise<void> {
  for (const call of [
    () => store.load('form'),
    () => store.save('form', A),
    () => store.acquire?.('form'),
    () => lease?.save('form', A),
  ]) {
    const error = await Promise.resolve(call()).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(CheckpointError)
    expect(error).toMatchObject({ reason: 'unavailable', cause: expect.any(Error) })
  }
}
