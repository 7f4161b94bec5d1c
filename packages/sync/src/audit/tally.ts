import { SetHash } from './hash.ts'
import type { AuditDifference, FormAudit } from './result.ts'

/** Differences that are named. */
const NAMED = 10

/** Counts what one reading of a form compares. */
export class Tally {
  #equal = 0
  #missing = 0
  #extra = 0
  #different = 0
  #views = 0
  readonly #first: AuditDifference[] = []
  #firstExtras: AuditDifference[] = []
  readonly #table = new SetHash()
  readonly #service = new SetHash()
  #extraContents = new SetHash()

  /** Rows without a response. */
  get extras(): number {
    return this.#extra
  }

  equal(content: string): void {
    this.#equal += 1
    this.#table.add(content)
    this.#service.add(content)
  }

  missing(id: number, response: string): void {
    this.#missing += 1
    this.#service.add(response)
    name(this.#first, { id, kind: 'missing', columns: [] })
  }

  extra(id: number, row: string): void {
    this.#extra += 1
    this.#extraContents.add(row)
    name(this.#firstExtras, { id, kind: 'extra', columns: [] })
  }

  different(id: number, columns: string[], row: string, response: string): void {
    this.#different += 1
    this.#table.add(row)
    this.#service.add(response)
    name(this.#first, { id, kind: 'different', columns })
  }

  /** A view that differs from its table: some rows of it, or the view as a whole. */
  view(difference: AuditDifference, count = 1): void {
    this.#views += count
    name(this.#first, difference)
  }

  /** Their responses were deleted during the reading. */
  dropExtras(): void {
    this.#extra = 0
    this.#firstExtras = []
    this.#extraContents = new SetHash()
  }

  result(id: string): FormAudit {
    const [missing, extra, different] = [this.#missing, this.#extra, this.#different + this.#views]
    const both = this.#equal + this.#different
    this.#table.join(this.#extraContents)
    return {
      id,
      rows: both + extra,
      responses: both + missing,
      equal: missing + extra + different === 0,
      missing,
      extra,
      different,
      first: [...this.#first, ...this.#firstExtras].slice(0, NAMED),
      hashes: { table: this.#table.toString(), service: this.#service.toString() },
    }
  }
}

function name(list: AuditDifference[], difference: AuditDifference): void {
  if (list.length < NAMED) list.push(difference)
}
