import { expect, it } from 'vitest'
import { MetaColumns, uniqueNames } from '../src/csv-columns.ts'

it.each<[string, [id: string, title: string][], string[]]>([
  [
    'a fixed column, in any case',
    [
      ['q1', 'id'],
      ['q2', 'EMAIL'],
    ],
    ['id (q1)', 'EMAIL (q2)'],
  ],
  [
    'another title, in any case',
    [
      ['a', 'Name'],
      ['b', 'NAME '],
      ['c', 'Age'],
    ],
    ['Name (a)', 'NAME (b)', 'Age'],
  ],
  [
    'a repair of another',
    [
      ['q3', 'A'],
      ['q4', 'A'],
      ['q5', 'A (q3)'],
    ],
    ['A (q3) 2', 'A (q4)', 'A (q3)'],
  ],
  [
    'an escaped formula',
    [
      ['a', '=x'],
      ['b', "'=x"],
    ],
    ['=x (a)', "'=x (b)"],
  ],
  ['none', [['a', ' ']], ['a']],
])('names a column that has the title of %s', (_, columns, expected) => {
  const all = columns.map(([id, title]) => ({ id, title }))
  expect(uniqueNames(all, ['id', 'email'])).toEqual(expected)
})

it('has a column for each member of meta, and of the objects in it', () => {
  const columns = new MetaColumns()
  const meta = { ref: 'https://a.example', utm: { source: 'mail', term: null }, 'utm.source': 1, tags: ['x'] }
  columns.add({ device: 'phone' })
  columns.add(meta)
  expect(columns.all.map(({ title }) => title)).toEqual([
    'meta.device',
    'meta.ref',
    'meta.utm.source',
    'meta.utm.source',
    'meta.tags',
  ])
  expect(columns.split({ ...meta, later: true })).toEqual({
    cells: ['', 'https://a.example', 'mail', 1, '["x"]'],
    others: [{ title: 'meta.later', text: 'true' }],
  })
  expect(columns.split(null).cells).toEqual(['', '', '', '', ''])
  for (let number = 0; number < 200; number += 1) columns.add({ [`m${number}`]: number })
  expect([columns.all.length, columns.isFull]).toEqual([100, true])
})
