import { byNumber, byText, OrderedMap } from '../collections/ordered-map.ts'
import type { EndpointRecord } from '../domain/webhook-endpoint.ts'

export interface EndpointsDump {
  readonly endpoints: readonly EndpointRecord[]
  readonly lastId: number
}

/** Owner (a form, a workspace) and endpoint. */
interface EndpointKey<Owner> {
  readonly owner: Owner
  readonly id: number
}

const byForm = (a: EndpointKey<string>, b: EndpointKey<string>): number =>
  byText(a.owner, b.owner) || a.id - b.id
const byWorkspace = (a: EndpointKey<number>, b: EndpointKey<number>): number =>
  a.owner - b.owner || a.id - b.id

/** Webhook endpoints by id and by form, counted by workspace. */
export class EndpointsTable {
  #byId = new OrderedMap<number, EndpointRecord>(byNumber)
  #byForm = new OrderedMap<EndpointKey<string>, EndpointRecord>(byForm)
  #byWorkspace = new OrderedMap<EndpointKey<number>, true>(byWorkspace)
  #lastId = 0

  nextId(): number {
    return ++this.#lastId
  }

  get(id: number): EndpointRecord | undefined {
    return this.#byId.get(id)
  }

  /** Returns the endpoints of a form in the order in which they were added. */
  ofForm(formId: string): EndpointRecord[] {
    return this.#byForm.slice(this.#byForm.rank({ owner: formId, id: 0 }), this.countOfForm(formId))
  }

  countOfForm(formId: string): number {
    return (
      this.#byForm.rank({ owner: formId, id: Infinity }) - this.#byForm.rank({ owner: formId, id: -Infinity })
    )
  }

  countOfWorkspace(workspaceId: number): number {
    return (
      this.#byWorkspace.rank({ owner: workspaceId, id: Infinity }) -
      this.#byWorkspace.rank({ owner: workspaceId, id: -Infinity })
    )
  }

  /** Yields every endpoint in the order of ids. */
  all(): EndpointRecord[] {
    return this.#byId.slice(0, this.#byId.size)
  }

  /** Adds an endpoint or replaces the one with its id. */
  put(endpoint: EndpointRecord): void {
    this.#byId.set(endpoint.id, endpoint)
    this.#byForm.set({ owner: endpoint.formId, id: endpoint.id }, endpoint)
    this.#byWorkspace.set({ owner: endpoint.workspaceId, id: endpoint.id }, true)
    this.#lastId = Math.max(this.#lastId, endpoint.id)
  }

  /** Removes an endpoint. Its id is never reused. */
  delete(id: number): void {
    const endpoint = this.#byId.delete(id)
    if (!endpoint) return
    this.#byForm.delete({ owner: endpoint.formId, id })
    this.#byWorkspace.delete({ owner: endpoint.workspaceId, id })
  }

  fork(): EndpointsTable {
    const copy = new EndpointsTable()
    copy.#byId = this.#byId.clone()
    copy.#byForm = this.#byForm.clone()
    copy.#byWorkspace = this.#byWorkspace.clone()
    copy.#lastId = this.#lastId
    return copy
  }

  dump(): EndpointsDump {
    return { endpoints: [...this.#byId.values()], lastId: this.#lastId }
  }

  static load(dump: EndpointsDump): EndpointsTable {
    const table = new EndpointsTable()
    for (const endpoint of dump.endpoints) table.put(endpoint)
    table.#lastId = Math.max(table.#lastId, dump.lastId)
    return table
  }
}
