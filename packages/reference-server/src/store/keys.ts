import { byText } from '../collections/ordered-map.ts'
import type { ApiKey } from '../domain/key.ts'
import { Index, Table } from './table.ts'

export interface KeysDump {
  readonly keys: readonly ApiKey[]
  readonly lastId: number
}

/** API keys by id and by hash. */
export class KeysTable extends Table<ApiKey> {
  protected hashes = new Index<ApiKey, Pick<ApiKey, 'hash'>>((a, b) => byText(a.hash, b.hash))

  /** Returns the key with this SHA-256 hash, revoked or not. */
  byHash(hash: string): ApiKey | undefined {
    return this.hashes.get({ hash })
  }

  dump(): KeysDump {
    return { keys: this.all(), lastId: this.lastId }
  }

  load({ keys, lastId }: KeysDump): this {
    return this.putAll(keys, lastId)
  }
}
