import type { FormResponse } from '@formwire/contract'
import { signal } from '@preact/signals'
import { CallError, formPath, list } from '../api.ts'

const PER_PAGE = 100
const LANES = 2

/** Number of responses submitted from this page. */
export const submittedHere = signal(0)

/**
 * The responses of a form, loaded page by page as the list is scrolled (`want`). A search loads all of them (`wantAll`).
 */
export class ResponsePages {
  readonly #url: string
  readonly #pages = new Map<number, FormResponse[]>()
  readonly #requested = new Set<number>()
  readonly #queue: number[] = []
  #running = 0
  #generation = 0

  /** Changes with every page that is loaded. */
  readonly version = signal(0)
  /** Number of responses, or `undefined` before the first page. */
  readonly total = signal<number | undefined>(undefined)
  readonly error = signal<string | undefined>(undefined)

  constructor(formId: string, status: 'submitted' | 'in_progress') {
    this.#url = `${formPath(formId)}/responses?status=${status}`
  }

  at(index: number): FormResponse | undefined {
    return this.#pages.get(Math.floor(index / PER_PAGE))?.[index % PER_PAGE]
  }

  /** Returns the loaded responses, newest first. */
  loaded(): FormResponse[] {
    return [...this.#pages.entries()].sort(([a], [b]) => a - b).flatMap(([, page]) => page)
  }

  /** Requests the rows from `first` to `last`. The latest request is served first. */
  want(first: number, last: number): void {
    for (let page = Math.floor(last / PER_PAGE); page >= Math.floor(first / PER_PAGE); page--) {
      if (this.#requested.has(page)) continue
      this.#requested.add(page)
      this.#queue.unshift(page)
    }
    this.#pump()
  }

  /** Requests all rows. */
  wantAll(): void {
    this.want(0, Math.max(0, (this.total.peek() ?? 1) - 1))
  }

  /** Reloads the list. The loaded responses stay until the new first page is there. */
  restart(): void {
    this.#generation++
    this.#queue.length = 0
    this.#requested.clear()
    this.error.value = undefined
    this.want(0, 0)
  }

  /** Returns the current number of responses on the server, without changing the list. */
  async currentTotal(): Promise<number | undefined> {
    const page = await list<FormResponse>(`${this.#url}&per_page=1`).catch(() => undefined)
    return page?.meta?.total
  }

  #pump(): void {
    while (this.#running < LANES && this.#queue.length > 0) {
      const page = this.#queue.shift() as number
      this.#running++
      void this.#load(page).finally(() => {
        this.#running--
        this.#pump()
      })
    }
  }

  async #load(page: number): Promise<void> {
    const generation = this.#generation
    try {
      const { data, meta } = await list<FormResponse>(`${this.#url}&per_page=${PER_PAGE}&page=${page + 1}`)
      if (generation !== this.#generation) return
      if (page === 0) this.#pages.clear()
      this.#pages.set(page, data)
      this.total.value = meta?.total ?? data.length
      this.version.value++
    } catch (cause) {
      if (generation !== this.#generation) return
      this.#requested.delete(page)
      this.error.value = cause instanceof CallError ? cause.message : 'The response could not be read.'
    }
  }
}
