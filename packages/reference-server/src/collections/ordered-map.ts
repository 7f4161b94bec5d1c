/**
 * A sorted map with access by position and O(1) copies: a B+ tree whose nodes count their entries and are copied only
 * when a map that shares them writes. Pages by number and `since` cost O(log n).
 */
export class OrderedMap<Key, Value> {
  readonly #compare: (a: Key, b: Key) => number
  #root: Node<Key, Value>
  /** Nodes with this token belong to this map alone and may be changed in place. */
  #owner: object = {}
  /** The value that the current insertion has replaced. Its descent returns the split node. */
  #replaced: Value | undefined

  constructor(compare: (a: Key, b: Key) => number) {
    this.#compare = compare
    this.#root = { owner: this.#owner, size: 0, keys: [], values: [], children: undefined }
  }

  get size(): number {
    return this.#root.size
  }

  get(key: Key): Value | undefined {
    let node = this.#root
    while (node.children) node = node.children[this.#childIndex(node, key)] as Node<Key, Value>
    const index = this.#lowerBound(node.keys, key)
    return this.#holds(node, index, key) ? node.values[index] : undefined
  }

  /** Inserts a key or replaces its value. Returns the replaced value, `undefined` for a new key. */
  set(key: Key, value: Value): Value | undefined {
    const root = this.#own(this.#root)
    this.#replaced = undefined
    const split = this.#insert(root, key, value)
    this.#root = split ? branchOf(this.#owner, [root, split]) : root
    const replaced = this.#replaced
    this.#replaced = undefined
    return replaced
  }

  /** Removes a key and returns its value, or `undefined` for a missing key. */
  delete(key: Key): Value | undefined {
    let root = this.#own(this.#root)
    const value = this.#remove(root, key)
    while (root.children?.length === 1) root = root.children[0] as Node<Key, Value>
    this.#root = root
    return value
  }

  /** Returns how many keys sort before `key`, which is its position. */
  rank(key: Key): number {
    let node = this.#root
    let rank = 0
    while (node.children) {
      const index = this.#childIndex(node, key)
      // Count the shorter side: most ranks are near an end of a form's list.
      if (index <= node.children.length >> 1) {
        for (let i = 0; i < index; i += 1) rank += (node.children[i] as Node<Key, Value>).size
      } else {
        rank += node.size
        for (let i = index; i < node.children.length; i += 1)
          rank -= (node.children[i] as Node<Key, Value>).size
      }
      node = node.children[index] as Node<Key, Value>
    }
    return rank + this.#lowerBound(node.keys, key)
  }

  /** Returns the entry at a position, from 0. */
  at(index: number): readonly [Key, Value] | undefined {
    for (const entry of this.entries(index)) return entry
    return undefined
  }

  /** Yields the entries in order from a position. To change the map meanwhile, clone it first. */
  *entries(from = 0): IterableIterator<readonly [Key, Value]> {
    yield* entriesOf(this.#root, Math.max(0, from))
  }

  /** Yields the values in order from a position. */
  *values(from = 0): IterableIterator<Value> {
    for (const [, value] of entriesOf(this.#root, Math.max(0, from))) yield value
  }

  /** Returns at most `count` values from a position: a page. */
  slice(from: number, count: number): Value[] {
    const page: Value[] = []
    if (count > 0) collectValues(this.#root, Math.max(0, from), count, page)
    return page
  }

  /** Returns a copy in O(1). Both share the nodes that neither has changed. */
  clone(): OrderedMap<Key, Value> {
    const copy = new OrderedMap<Key, Value>(this.#compare)
    copy.#root = this.#root
    this.#owner = {}
    return copy
  }

  #insert(node: Node<Key, Value>, key: Key, value: Value): Node<Key, Value> | undefined {
    if (!node.children) {
      const index = this.#lowerBound(node.keys, key)
      if (this.#holds(node, index, key)) {
        this.#replaced = node.values[index]
        // The key too: one that is a part of its value would keep the old value in memory.
        node.keys[index] = key
        node.values[index] = value
        return undefined
      }
      node.keys.splice(index, 0, key)
      node.values.splice(index, 0, value)
      node.size += 1
      return this.#splitFull(node, index)
    }
    const index = this.#childIndex(node, key)
    const child = this.#own(node.children[index] as Node<Key, Value>)
    node.children[index] = child
    node.size -= child.size
    const split = this.#insert(child, key, value)
    node.size += child.size
    node.keys[index] = child.keys[0] as Key
    if (!split) return undefined
    node.children.splice(index + 1, 0, split)
    node.keys.splice(index + 1, 0, split.keys[0] as Key)
    node.size += split.size
    return this.#splitFull(node, index + 1)
  }

  /** Splits a node that is too large. Growth at an end leaves the other half full, since most keys are added in order. */
  #splitFull(node: Node<Key, Value>, grewAt: number): Node<Key, Value> | undefined {
    const length = node.keys.length
    if (length <= MAX_ENTRIES) return undefined
    const at = grewAt >= length - 1 ? length - 1 : grewAt <= 1 ? 2 : length >> 1
    const right: Node<Key, Value> = {
      owner: this.#owner,
      size: 0,
      keys: node.keys.splice(at),
      values: node.values.splice(at),
      children: node.children?.splice(at),
    }
    right.size = sizeOf(right)
    node.size = sizeOf(node)
    return right
  }

  #remove(node: Node<Key, Value>, key: Key): Value | undefined {
    if (!node.children) {
      const index = this.#lowerBound(node.keys, key)
      if (!this.#holds(node, index, key)) return undefined
      node.size -= 1
      node.keys.splice(index, 1)
      return node.values.splice(index, 1)[0]
    }
    const index = this.#childIndex(node, key)
    const child = this.#own(node.children[index] as Node<Key, Value>)
    node.children[index] = child
    const before = child.size
    const value = this.#remove(child, key)
    if (child.size === before) return undefined
    node.size -= 1
    if (child.keys.length === 0) {
      node.children.splice(index, 1)
      node.keys.splice(index, 1)
      return value
    }
    node.keys[index] = child.keys[0] as Key
    if (child.keys.length < MIN_ENTRIES && node.children.length > 1)
      this.#merge(node, index > 0 ? index - 1 : index)
    return value
  }

  /** Joins the children at `index` and `index + 1` when both fit into one node with room to spare. */
  #merge(node: Node<Key, Value>, index: number): void {
    const children = node.children as Node<Key, Value>[]
    const right = children[index + 1] as Node<Key, Value>
    if ((children[index] as Node<Key, Value>).keys.length + right.keys.length > MAX_ENTRIES / 2) return
    const left = this.#own(children[index] as Node<Key, Value>)
    left.keys.push(...right.keys)
    left.values.push(...right.values)
    if (right.children) left.children?.push(...right.children)
    left.size += right.size
    children[index] = left
    children.splice(index + 1, 1)
    node.keys.splice(index + 1, 1)
  }

  #own(node: Node<Key, Value>): Node<Key, Value> {
    if (node.owner === this.#owner) return node
    return {
      owner: this.#owner,
      size: node.size,
      keys: node.keys.slice(),
      values: node.values.slice(),
      children: node.children?.slice(),
    }
  }

  /** Returns the index of the child for `key`: the last one that begins at or before it. */
  #childIndex(node: Node<Key, Value>, key: Key): number {
    const index = this.#lowerBound(node.keys, key)
    return this.#holds(node, index, key) ? index : Math.max(0, index - 1)
  }

  #holds(node: Node<Key, Value>, index: number, key: Key): boolean {
    return index < node.keys.length && this.#compare(node.keys[index] as Key, key) === 0
  }

  #lowerBound(keys: Key[], key: Key): number {
    let low = 0
    let high = keys.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#compare(keys[middle] as Key, key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

const MAX_ENTRIES = 64
const MIN_ENTRIES = 16

/** A leaf holds `values`; a branch holds `children` and, as `keys`, the smallest key below each. */
interface Node<Key, Value> {
  owner: object
  /** Number of entries at and below this node. */
  size: number
  keys: Key[]
  values: Value[]
  children: Node<Key, Value>[] | undefined
}

function branchOf<Key, Value>(owner: object, children: Node<Key, Value>[]): Node<Key, Value> {
  const keys = children.map((child) => child.keys[0] as Key)
  return { owner, size: totalOf(children), keys, values: [], children }
}

const totalOf = (nodes: readonly { size: number }[]): number => nodes.reduce((sum, { size }) => sum + size, 0)

function sizeOf<Key, Value>({ children, keys }: Node<Key, Value>): number {
  return children ? totalOf(children) : keys.length
}

/** Adds values from a position until `page` has `count`. Like `entriesOf`, without a generator per level. */
function collectValues<Key, Value>(node: Node<Key, Value>, from: number, count: number, page: Value[]): void {
  if (!node.children) {
    const end = Math.min(node.values.length, from + count - page.length)
    for (let i = from; i < end; i += 1) page.push(node.values[i] as Value)
    return
  }
  let skip = from
  for (const child of node.children) {
    if (skip >= child.size) {
      skip -= child.size
      continue
    }
    collectValues(child, skip, count, page)
    if (page.length >= count) return
    skip = 0
  }
}

function* entriesOf<Key, Value>(
  node: Node<Key, Value>,
  from: number,
): IterableIterator<readonly [Key, Value]> {
  if (!node.children) {
    for (let i = from; i < node.keys.length; i += 1) yield [node.keys[i] as Key, node.values[i] as Value]
    return
  }
  let skip = from
  for (const child of node.children) {
    if (skip >= child.size) {
      skip -= child.size
      continue
    }
    yield* entriesOf(child, skip)
    skip = 0
  }
}

/** Key orders for `OrderedMap`. */
export const byNumber = (a: number, b: number): number => a - b

/** By code unit, since the order only serves lookups. */
export const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
