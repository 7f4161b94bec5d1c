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

/**
 * All tables. Each has `fork()`, an O(1) copy that shares unchanged nodes, and `dump()` and `load()`, its JSON for
 * snapshots. A new table needs these three, and a line in each place below.
 */
export class State {
  readonly people: PeopleTable
  readonly keys: KeysTable
  readonly forms: FormsTable
  readonly responses: ResponsesTable
  readonly endpoints: EndpointsTable
  readonly deliveries: DeliveriesTable
  readonly uploads: UploadsTable
  readonly submitTokens: SubmitTokensTable
  /** Where the data was pulled from, `null` if it was not. */
  source: DataSource | null

  constructor(tables: Partial<StateTables> = {}, source: DataSource | null = null) {
    this.people = tables.people ?? new PeopleTable()
    this.keys = tables.keys ?? new KeysTable()
    this.forms = tables.forms ?? new FormsTable()
    this.responses = tables.responses ?? new ResponsesTable()
    this.endpoints = tables.endpoints ?? new EndpointsTable()
    this.deliveries = tables.deliveries ?? new DeliveriesTable()
    this.uploads = tables.uploads ?? new UploadsTable()
    this.submitTokens = tables.submitTokens ?? new SubmitTokensTable()
    this.source = source
  }

  fork(): State {
    const tables: StateTables = {
      people: this.people.fork(),
      keys: this.keys.fork(),
      forms: this.forms.fork(),
      responses: this.responses.fork(),
      endpoints: this.endpoints.fork(),
      deliveries: this.deliveries.fork(),
      uploads: this.uploads.fork(),
      submitTokens: this.submitTokens.fork(),
    }
    return new State(tables, this.source)
  }

  dump(): StateDump {
    return {
      version: 1,
      people: this.people.dump(),
      keys: this.keys.dump(),
      forms: this.forms.dump(),
      responses: this.responses.dump(),
      endpoints: this.endpoints.dump(),
      deliveries: this.deliveries.dump(),
      uploads: this.uploads.dump(),
      submitTokens: this.submitTokens.dump(),
      ...(this.source && { source: this.source }),
    }
  }

  /** Returns the state of a dump. `style` is how this server renders forms and responses. */
  static load(dump: StateDump, style: FormStyle & ResponseStyle): State {
    const tables: Partial<StateTables> = {
      people: PeopleTable.load(dump.people),
      keys: KeysTable.load(dump.keys),
      forms: FormsTable.load(dump.forms, style),
      responses: ResponsesTable.load(dump.responses, style),
      endpoints: EndpointsTable.load(dump.endpoints),
      deliveries: DeliveriesTable.load(dump.deliveries),
      uploads: UploadsTable.load(dump.uploads),
      ...(dump.submitTokens && { submitTokens: SubmitTokensTable.load(dump.submitTokens) }),
    }
    const state = new State(tables, dump.source)
    state.readLogs()
    return state
  }

  /** Derives `failingSince` from the log, for endpoints without it (older snapshots, demo). */
  readLogs(): void {
    for (const endpoint of this.endpoints.all()) {
      if (endpoint.failingSince !== undefined) continue
      const seen = afterLog(endpoint, this.deliveries.ofEndpoint(endpoint.id, Number.NEGATIVE_INFINITY))
      if (seen !== endpoint) this.endpoints.put(seen)
    }
  }
}

type StateTables = Pick<
  State,
  'people' | 'keys' | 'forms' | 'responses' | 'endpoints' | 'deliveries' | 'uploads' | 'submitTokens'
>
