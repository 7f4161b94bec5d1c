import type { DataSource } from '@formwire/contract/control'
import type { FormStyle } from '../domain/form-status.ts'
import type { ResponseStyle } from '../domain/response.ts'
import { afterLog } from '../domain/webhook-endpoint.ts'
import { type DeliveriesDump, DeliveriesTable } from './deliveries.ts'
import { type EndpointsDump, EndpointsTable } from './endpoints.ts'
import { type FormsDump, FormsTable } from './forms.ts'
import { type KeysDump, KeysTable } from './keys.ts'
import { type PeopleDump, PeopleTable } from './people.ts'
import { type ResponsesDump, ResponsesTable } from './responses.ts'
import { type SubmitTokensDump, SubmitTokensTable } from './submit-tokens.ts'
import { Forkable } from './table.ts'
import { type UploadsDump, UploadsTable } from './uploads.ts'

/** The whole state as JSON. Contains key hashes and webhook secrets: treat it like a secret. */
export interface StateDump {
  readonly version: 1
  readonly people: PeopleDump
  readonly keys: KeysDump
  readonly forms: FormsDump
  readonly responses: ResponsesDump
  readonly endpoints: EndpointsDump
  readonly deliveries: DeliveriesDump
  readonly uploads: UploadsDump
  /** Absent in the snapshots of earlier versions. */
  readonly submitTokens?: SubmitTokensDump
  /** Absent if the data was not pulled. */
  readonly source?: DataSource
}

/** All tables. Each has `fork()`, an O(1) copy, and `dump()` and `load()`, its JSON for snapshots. */
const TABLES = {
  people: PeopleTable,
  keys: KeysTable,
  forms: FormsTable,
  responses: ResponsesTable,
  endpoints: EndpointsTable,
  deliveries: DeliveriesTable,
  uploads: UploadsTable,
  submitTokens: SubmitTokensTable,
}
type Tables = { readonly [Name in keyof typeof TABLES]: InstanceType<(typeof TABLES)[Name]> }

const eachTable = <Result>(make: (name: keyof Tables) => Result) =>
  Object.fromEntries((Object.keys(TABLES) as (keyof Tables)[]).map((name) => [name, make(name)]))

/** The data of a server. */
export class State extends Forkable implements Tables {
  declare readonly people: PeopleTable
  declare readonly keys: KeysTable
  declare readonly forms: FormsTable
  declare readonly responses: ResponsesTable
  declare readonly endpoints: EndpointsTable
  declare readonly deliveries: DeliveriesTable
  declare readonly uploads: UploadsTable
  declare readonly submitTokens: SubmitTokensTable
  /** Where the data was pulled from, `null` if it was not. */
  source: DataSource | null

  constructor(tables: Partial<Tables> = {}, source: DataSource | null = null) {
    super()
    Object.assign(
      this,
      eachTable((name) => tables[name] ?? new TABLES[name]()),
    )
    this.source = source
  }

  dump(): StateDump {
    const tables = eachTable((name) => this[name].dump()) as unknown as Omit<StateDump, 'version' | 'source'>
    return { version: 1, ...tables, ...(this.source && { source: this.source }) }
  }

  /** Returns the state of a dump. `style` is how this server renders forms and responses. */
  static load(dump: StateDump, style: FormStyle & ResponseStyle): State {
    const state = new State({ forms: new FormsTable(style) }, dump.source)
    for (const name of Object.keys(TABLES) as (keyof Tables)[])
      if (dump[name]) state[name].load(dump[name] as never, style)
    state.readLogs()
    return state
  }

  /** Derives `failingSince` from the log, for endpoints without it (older snapshots). */
  readLogs(): void {
    for (const endpoint of this.endpoints.all()) {
      if (endpoint.failingSince !== undefined) continue
      const seen = afterLog(endpoint, this.deliveries.ofEndpoint(endpoint.id, Number.NEGATIVE_INFINITY))
      if (seen !== endpoint) this.endpoints.put(seen)
    }
  }
}
