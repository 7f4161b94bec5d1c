import { byText } from '../collections/ordered-map.ts'
import type { EndpointRecord } from '../domain/webhook-endpoint.ts'
import { Index, Table } from './table.ts'

export interface EndpointsDump {
  readonly endpoints: readonly EndpointRecord[]
  readonly lastId: number
}

type FormKey = Pick<EndpointRecord, 'formId' | 'id'>
type WorkspaceKey = Pick<EndpointRecord, 'workspaceId' | 'id'>

/** Webhook endpoints by id and by form, counted by workspace. */
export class EndpointsTable extends Table<EndpointRecord> {
  protected forms = new Index<EndpointRecord, FormKey>((a, b) => byText(a.formId, b.formId) || a.id - b.id)
  protected workspaces = new Index<EndpointRecord, WorkspaceKey>(
    (a, b) => a.workspaceId - b.workspaceId || a.id - b.id,
  )

  /** Returns the endpoints of a form in the order in which they were added. */
  ofForm(formId: string): EndpointRecord[] {
    return this.forms.page({ formId, id: 0 }, { formId, id: Infinity }).items
  }

  countOfForm(formId: string): number {
    return this.forms.count({ formId, id: 0 }, { formId, id: Infinity })
  }

  countOfWorkspace(workspaceId: number): number {
    return this.workspaces.count({ workspaceId, id: 0 }, { workspaceId, id: Infinity })
  }

  dump(): EndpointsDump {
    return { endpoints: this.all(), lastId: this.lastId }
  }

  load({ endpoints, lastId }: EndpointsDump): this {
    return this.putAll(endpoints, lastId)
  }
}
