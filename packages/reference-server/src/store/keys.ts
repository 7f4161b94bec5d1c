import { byNumber, byText, OrderedMap } from '../collections/ordered-map.ts'
import type { ApiKey } from '../domain/key.ts'

export interface KeysDump {
  readonly keys: readonly ApiKey[]
  readonly lastId: number
}

/** API keys by id and by hash. */
export class KeysTable {
  #byId = new OrderedMap<number, ApiKey>(byNumber)
  #byHash = new OrderedMap<string, ApiKey>(byText)
  #lastId = 0

  nextId(): number {
    return ++this.#lastId
  }

  get(id: number): ApiKey | undefined {
    return this.#byId.get(id)
  }

  /** Returns the key with this SHA-256 hash, revoked or not. */
  byHash(hash: string): ApiKey | undefined {
    return this.#byHash.get(hash)
  }

  all(): IterableIterator<ApiKey> {
    return this.#byId.values()
  }

  /** Adds a key or replaces the one with its id. */
  put(key: ApiKey): void {
    const before = this.#byId.set(key.id, key)
    if (before) this.#byHash.delete(before.hash)
    this.#byHash.set(key.hash, key)
    this.#lastId = Math.max(this.#lastId, key.id)
  }

  fork(): KeysTable {
    const copy = new KeysTable()
    copy.#byId = this.#byId.clone()
    copy.#byHash = this.#byHash.clone()
    copy.#lastId = this.#lastId
    return copy
  }

  dump(): KeysDump {
    return { keys: [...this.#byId.values()], lastId: this.#lastId }
  }

  static load(dump: KeysDump): KeysTable {
    const table = new KeysTable()
    for (const key of dump.keys) table.put(key)
    table.#lastId = Math.max(table.#lastId, dump.lastId)
    return table
  }
}
