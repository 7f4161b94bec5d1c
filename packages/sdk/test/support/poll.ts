import {
  type CheckpointStore,
  Formwire,
  type FormwireOptions,
  type PollOptions,
  type PollState,
} from '../../src/index.ts'
import { ManualClock } from './manual-clock.ts'
import { ModelService } from './model-service.ts'

export const SECOND = 1_000_000_000n
export const START = 1_790_000_000n * SECOND

/** A client of a service, on a clock that passes while it waits. `poll` polls its form, and `once` returns the ids that one poll yields. */
export function setUp(model: ModelService, options: FormwireOptions = {}) {
  const clock = new ManualClock()
  const formwire = new Formwire({
    apiKey: 'svc_k',
    transport: model.transport,
    rateLimit: false,
    clock,
    random: () => 0.5,
    ...options,
  })
  const poll = (options?: PollOptions) => formwire.responses.poll('abcdefghijkl', options)
  const once = (options: PollOptions = {}): Promise<number[]> =>
    clock.runUntil(idsOf(poll({ once: true, ...options })))
  return { clock, formwire, poll, once }
}

/** Reads everything to its end; the ids also while it is read. */
export async function idsOf(read: AsyncIterable<{ id: number }>, ids: number[] = []): Promise<number[]> {
  for await (const { id } of read) ids.push(id)
  return ids
}

/** A service with responses one step apart. */
export function filled(count: number, step = SECOND): ModelService {
  const model = new ModelService()
  model.fill(Array.from({ length: count }, (_, index) => START + BigInt(index) * step))
  return model
}

/** A memory store that shows what is in it. */
export function openStore(): CheckpointStore & { states: Map<string, PollState>; saves: number } {
  const states = new Map<string, PollState>()
  const store = {
    states,
    saves: 0,
    load: (key: string) => states.get(key),
    save: (key: string, state: PollState) => {
      store.saves += 1
      states.set(key, structuredClone(state))
    },
  }
  return store
}
