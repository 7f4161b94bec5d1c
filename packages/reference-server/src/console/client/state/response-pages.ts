import { signal } from '@preact/signals'
import { CallError, call, list } from '../api.ts'
import type { AppResponse } from '../types.ts'

const PER_PAGE = 100
const LANES = 2

/**
 * The responses of a form, loaded page by page as they are scrolled to. `at(index)` gives what is there and asks for
 * what is not; a search asks for all of them.
 */
export class ResponsePages {
  readonly #path: string
  readonly #query: string
  readonly #pages = new Map<number, AppResponse[]>()
  readonly #asked = new Set<number>()
  readonly #waiting: number[] = []
  #running = 0
  #generation = 0

  /** Moves with every page that arrives. */
  readonly version = signal(0)
  /** How many there are, or `undefined` before the first page. */
  readonly total = signal<number | undefined>(undefined)
  readonly error = signal<string | undefined>(undefined)

  constructor(formId: string, status: 'submitted' | 'in_progress') {
    this.#path = `forms/${encodeURIComponent(formId)}/responses`
    this.#query = `status=${status}&per_page=${PER_PAGE}`
  }

  at(index: number): AppResponse | undefined {
    return this.#pages.get(Math.floor(index / PER_PAGE))?.[index % PER_PAGE]
  }

  /** Those that are loaded, newest first. */
  loaded(): AppResponse[] {
    return [...this.#pages.entries()].sort(([a], [b]) => a - b).flatMap(([, page]) => page)
  }

  /** Asks for the rows from `first` to `last`; the latest ask goes first. */
  want(first: number, last: number): void {
    for (let page = Math.floor(last / PER_PAGE); page >= Math.floor(first / PER_PAGE); page--) {
      if (this.#asked.has(page)) continue
      this.#asked.add(page)
      this.#waiting.unshift(page)
    }
    this.#pump()
  }

  /** Asks for everything: a search goes over all of them. */
  wantAll(): void {
    this.want(0, Math.max(0, (this.total.peek() ?? 1) - 1))
  }

  /** Drops what is loaded and begins again. What is shown stays until the new first page is there. */
  restart(): void {
    this.#generation++
    this.#waiting.length = 0
    this.#asked.clear()
    this.error.value = undefined
    this.want(0, 0)
  }

  /** Total by now, without touching what is loaded. */
  async currentTotal(): Promise<number | undefined> {
    try {
      const answer = await list<AppResponse>(
        `${this.#path}?${this.#query.replace(`per_page=${PER_PAGE}`, 'per_page=1')}`,
      )
      return answer.meta?.total
    } catch {
      return undefined
    }
  }

  #pump(): void {
    while (this.#running < LANES && this.#waiting.length > 0) {
      const page = this.#waiting.shift() as number
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
      const answer = await list<AppResponse>(`${this.#path}?${this.#query}&page=${page + 1}`)
      if (generation !== this.#generation) return
      if (page === 0) this.#pages.clear()
      this.#pages.set(page, answer.data)
      this.total.value = answer.meta?.total ?? answer.data.length
      this.version.value++
    } catch (cause) {
      if (generation !== this.#generation) return
      this.#asked.delete(page)
      this.error.value = cause instanceof CallError ? cause.message : 'The answer could not be read.'
    }
  }
}

/** Deletes a response with its answers and files. @throws CallError */
export const deleteResponse = (formId: string, id: number): Promise<unknown> =>
  call('DELETE', `forms/${encodeURIComponent(formId)}/responses/${id}`)
