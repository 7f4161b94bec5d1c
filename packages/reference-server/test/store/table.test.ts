import { describe, expect, it } from 'vitest'
import { byText } from '../../src/collections/ordered-map.ts'
import { Index, Table } from '../../src/store/table.ts'

interface Row {
  readonly id: number
  readonly name: string
}

class Rows extends Table<Row> {
  protected names = new Index<Row, Pick<Row, 'name'>>(
    (a, b) => byText(a.name, b.name),
    ({ name }) => name !== '',
  )

  named(name: string): number | undefined {
    return this.names.get({ name })?.id
  }

  ids(from: string, to: string): number[] {
    return this.names.page({ name: from }, { name: to }).items.map(({ id }) => id)
  }
}

const rowsOf = (...names: string[]): Rows =>
  new Rows().putAll(names.map((name, index) => ({ id: index + 1, name })))

describe('a table', () => {
  it('finds a row only by its current values, and only if the index has it', () => {
    const table = rowsOf('a', 'b', '')
    expect(table.put({ id: 1, name: 'c' })).toEqual({ id: 1, name: 'a' })
    expect([table.named('a'), table.named('c'), table.named('')]).toEqual([undefined, 1, undefined])
    table.put({ id: 1, name: '' })
    expect([table.named('c'), table.ids('', 'z'), table.count]).toEqual([undefined, [2], 3])
    expect([table.delete(2), table.delete(2), table.named('b')]).toEqual([
      { id: 2, name: 'b' },
      undefined,
      undefined,
    ])
  })

  it('shares no change with a fork, in rows or indexes', () => {
    const table = rowsOf('a')
    const fork = table.fork()
    fork.put({ id: 1, name: 'forked' })
    table.put({ id: 1, name: 'kept' })
    table.put({ id: 2, name: 'own' })
    expect([fork.get(1)?.name, fork.ids('', 'z'), fork.count]).toEqual(['forked', [1], 1])
    expect([table.get(1)?.name, table.ids('', 'z'), table.count]).toEqual(['kept', [1, 2], 2])
  })

  it('has another revision after each row that is added or replaced', () => {
    const table = new Rows()
    const revisions = [1, 2, 1].map((id) => {
      table.put({ id, name: 'a' })
      return table.revision
    })
    expect(revisions).toEqual([1, 2, 3])
  })
})
