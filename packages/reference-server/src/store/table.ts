import { OrderedMap } from '../collections/ordered-map.ts'

/** Part of a list. */
export interface Page<Item> {
  readonly items: Item[]
  /** Number of items of the whole list. */
  readonly total: number
}

/**
 * Rows in an order of their own. `Key` is what the order needs of a row; rows are their own keys, to save an object per row. Bounds are
 * keys that no row has, with ±Infinity for example.
 */
export class Index<Row extends Key, Key> {
  readonly #compare: (a: Key, b: Key) => number
  readonly #includes: (row: Row) => boolean
  #rows: OrderedMap<Key, Row>

  /** @param includes Whether the index has a row. @default it has all rows */
  constructor(compare: (a: Key, b: Key) => number, includes: (row: Row) => boolean = () => true) {
    this.#compare = compare
    this.#includes = includes
    this.#rows = new OrderedMap(compare)
  }

  get size(): number {
    return this.#rows.size
  }

  get(key: Key): Row | undefined {
    return this.#rows.get(key)
  }

  first(): Row | undefined {
    return this.#rows.at(0)?.[1]
  }

  /** Number of rows between two bounds. */
  count(from: Key, to: Key): number {
    return this.#rows.rank(to) - this.#rows.rank(from)
  }

  /** Returns the rows between two bounds, or a page of them. */
  page(from: Key, to: Key, skip = 0, count = Infinity): Page<Row> {
    const start = this.#rows.rank(from)
    const total = this.#rows.rank(to) - start
    return { items: this.#rows.slice(start + skip, Math.min(count, total - skip)), total }
  }

  /** Yields the rows after a key. */
  *after(key: Key): IterableIterator<Row> {
    for (const row of this.#rows.values(this.#rows.rank(key))) if (this.#compare(row, key) !== 0) yield row
  }

  /** Follows a change of the table: `undefined` stands for a row that does not exist. */
  replace(before: Row | undefined, after: Row | undefined): void {
    const stays = after !== undefined && this.#includes(after)
    if (before && this.#includes(before) && !(stays && this.#compare(before, after) === 0))
      this.#rows.delete(before)
    if (stays) this.#rows.set(after, after)
  }

  clone(): Index<Row, Key> {
    const copy = new Index<Row, Key>(this.#compare, this.#includes)
    copy.#rows = this.#rows.clone()
    return copy
  }
}

/** Has an O(1) copy that shares unchanged nodes. The copy has no `#private` fields, so subclasses declare none. */
export abstract class Forkable {
  fork(): this {
    const copy: Record<string, unknown> = Object.create(Object.getPrototypeOf(this))
    for (const [name, value] of Object.entries(this)) {
      copy[name] =
        value instanceof OrderedMap || value instanceof Index
          ? value.clone()
          : value instanceof Forkable
            ? value.fork()
            : value
    }
    return copy as this
  }
}

type IdName<Row, Id> = { [Name in keyof Row]: Row[Name] extends Id ? Name : never }[keyof Row]

/** Rows by id. Its fields that are indexes follow every change. Reads and writes are O(log n). */
export class Table<Row extends object, Id extends string | number = number> extends Forkable {
  protected rows: OrderedMap<Id, Row>
  protected readonly id: IdName<Row, Id>
  /** The indexes among the fields, found with the first change: a fork has its own. */
  protected indexes: readonly Index<Row, Row>[] | undefined
  lastId = 0
  /** Grows with every row that is added or replaced. */
  revision = 0

  /** @param id Name of the field that identifies a row. @default 'id' */
  constructor(id: IdName<Row, Id> = 'id' as IdName<Row, Id>) {
    super()
    this.id = id
    this.rows = new OrderedMap((a: Id, b: Id) => (a === b ? 0 : a < b ? -1 : 1))
  }

  /** Number of rows. */
  get count(): number {
    return this.rows.size
  }

  /** Returns a numeric id that was never used, not even by a deleted row. */
  nextId(): number {
    return ++this.lastId
  }

  get(id: Id): Row | undefined {
    return this.rows.get(id)
  }

  /** Returns every row in the order of ids. */
  all(): Row[] {
    return this.rows.slice(0, this.rows.size)
  }

  /** Adds a row or replaces the one with its id. Returns the replaced one. */
  put(row: Row): Row | undefined {
    this.revision += 1
    const id = row[this.id] as Id
    const before = this.rows.set(id, row)
    this.reindex(before, row)
    if (typeof id === 'number') this.lastId = Math.max(this.lastId, id)
    return before
  }

  /** Returns the deleted row. */
  delete(id: Id): Row | undefined {
    const row = this.rows.delete(id)
    if (row) this.reindex(row, undefined)
    return row
  }

  /** Adds the rows of a dump. */
  putAll(rows: Iterable<Row>, lastId = 0): this {
    for (const row of rows) this.put(row)
    this.lastId = Math.max(this.lastId, lastId)
    return this
  }

  override fork(): this {
    return Object.assign(super.fork(), { indexes: undefined })
  }

  protected reindex(before: Row | undefined, after: Row | undefined): void {
    this.indexes ??= Object.values(this).filter((field) => field instanceof Index)
    for (const index of this.indexes) index.replace(before, after)
  }
}
