import { createShared } from '../../src/database/driver.ts'
import type { SyncStore } from '../../src/index.ts'

/** Thrown where a process would have died. */
export class Crash extends Error {}

/** Counts the steps of an instance, and ends it after a number of them: every later step fails too. */
export class Lifetime {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  step(): void {
    this.#left -= 1
    if (this.#left < 0) throw new Crash('crashed')
  }

  get isOver(): boolean {
    return this.#left < 0
  }

  /** Ends it after so many more steps. */
  limit(steps: number): void {
    this.#left = Math.min(this.#left, steps)
  }
}

/** A store whose owner may die before each statement, before a commit, or after one. */
export function mortalStore<Transaction>(
  store: SyncStore<Transaction>,
  life: Lifetime,
): SyncStore<Transaction> {
  return {
    dialect: store.dialect,
    // What a process knows dies with it.
    shared: createShared(),
    open: () => store.open(),
    close: () => store.close(),
    read(sql, parameters) {
      life.step()
      return store.read(sql, parameters)
    },
    async runAlone(name, sql, parameters) {
      life.step()
      const changed = await store.runAlone?.(name, sql, parameters)
      life.step()
      return changed
    },
    async transaction(lock, work) {
      life.step()
      const result = await store.transaction(lock, async (session, transaction) => {
        const done = await work(
          {
            query: async (sql, parameters) => {
              life.step()
              return await session.query(sql, parameters)
            },
            run: async (sql, parameters) => {
              life.step()
              return await session.run(sql, parameters)
            },
          },
          transaction,
        )
        life.step()
        return done
      })
      life.step()
      return result
    },
  }
}
