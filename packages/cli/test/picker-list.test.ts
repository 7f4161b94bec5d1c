import { describe, expect, it } from 'vitest'
import { PLAIN_PENS } from '../src/output/pens.ts'
import { matches, PickerList, type PickerListOptions } from '../src/pickers/picker-list.ts'

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ value: String(at + 1), texts: [`row ${at + 1}`] }))
const listOf = (options: Partial<PickerListOptions> = {}) =>
  new PickerList({ question: 'Which?', choices: numbered(30), ...options })
const linesOf = (list: PickerList, columns = 80, rows = 24) => list.lines({ columns, rows }, PLAIN_PENS)
const currentOf = (list: PickerList) => linesOf(list).find((line) => line.startsWith('❯'))

describe('the rows of a picker', () => {
  it('are a page of the choices, with their position', () => {
    const lines = linesOf(listOf())
    expect(lines.slice(0, 4)).toEqual(['Which?', '>  ', '❯ row 1', '  row 2'])
    expect(lines.slice(-3)).toEqual([
      '  row 12',
      '  1–12 of 30',
      '↑↓ PgUp PgDn · type to filter · Enter choose · Esc cancel',
    ])
  })
  it('move by a row, a page, and to both ends', () => {
    const list = listOf()
    linesOf(list)
    const at = (...keys: Parameters<PickerList['press']>[0][]): string | undefined => {
      for (const key of keys) list.press(key)
      return currentOf(list)
    }
    expect(at('down')).toBe('❯ row 2')
    expect(at('pageDown')).toBe('❯ row 14')
    expect(at('pageDown', 'pageDown')).toBe('❯ row 30')
    expect(at('down')).toBe('❯ row 1')
    expect(at('up')).toBe('❯ row 30')
    expect(at('pageUp')).toBe('❯ row 18')
    expect(at('home')).toBe('❯ row 1')
    expect(at('end')).toBe('❯ row 30')
  })
  it('start on the one that is given', () => {
    expect(currentOf(listOf({ start: '20' }))).toBe('❯ row 20')
  })
  it('stay different where they are cut, and show every column', () => {
    const title = 'Guest feedback of the winter season in the'
    const choices = ['mountains', 'harbour'].map((place, at) => ({
      value: place,
      texts: [`${title} ${place}`, `form0000000${at}`, 'published'],
    }))
    expect(linesOf(listOf({ choices }), 60).slice(2, 4)).toEqual([
      '❯ Guest feedback o…in the mountains  form00000000  published',
      '  Guest feedback o…n in the harbour  form00000001  published',
    ])
  })
  it('leave a narrow terminal the keys that do not explain themselves', () => {
    const list = listOf({ several: true })
    expect(linesOf(list, 60).at(-1)).toBe('type to filter · Space select · Enter confirm · Esc cancel')
    expect(linesOf(list, 40).at(-1)).toBe('Enter confirm · Esc cancel')
  })
  it('leave a low terminal without the note and the position', () => {
    const list = listOf({ note: 'there are more' })
    expect(linesOf(list)[1]).toBe('there are more')
    expect(linesOf(list, 80, 5)).toHaveLength(4)
    expect(linesOf(list, 80, 5).join('\n')).not.toContain('more')
  })
})

describe('a picker of one', () => {
  it('filters by what is typed, also with spaces', () => {
    const list = listOf()
    for (const character of 'row 2') list.type(character)
    expect(linesOf(list).slice(1, 4)).toEqual(['> row 2 ', '❯ row 2', '  row 12'])
    list.type('x')
    expect(list.confirm()).toBeUndefined()
    expect(linesOf(list).slice(1)).toEqual([
      '> row 2x ',
      '  nothing matches',
      '◦ nothing to choose: Backspace shortens the filter, Esc cancels',
    ])
    list.press('backspace')
    expect(list.confirm()).toEqual(['2'])
  })
})

describe('a picker of several', () => {
  it('counts what is selected, also what the filter hides', () => {
    const list = listOf({ several: true })
    list.type(' ')
    list.type('30')
    expect(linesOf(list).slice(1, 4)).toEqual([
      '> 30   1 of 30 selected',
      '❯ [ ] row 30',
      '↑↓ PgUp PgDn · type to filter · Space select · Enter confirm · Esc cancel',
    ])
    list.type(' ')
    expect(linesOf(list)[2]).toBe('❯ [✓] row 30')
    expect(list.confirm()).toEqual(['1', '30'])
    list.type(' ')
    expect(list.confirm()).toEqual(['1'])
  })
  it('stays open with nothing selected, and says so until the next key', () => {
    const list = listOf({ several: true })
    expect(list.confirm()).toBeUndefined()
    expect(linesOf(list).at(-1)).toBe('◦ nothing is selected: Space selects a row, Esc cancels')
    list.press('down')
    expect(linesOf(list).at(-1)).toMatch(/Esc cancel$/)
  })
})

describe('the filter of a picker', () => {
  it('finds every word, whatever its case', () => {
    const label = 'Customer survey  survey000001  published'
    expect(
      ['', 'surv', 'CUSTOMER pub', 'published customer'].filter((text) => !matches(label, text)),
    ).toEqual([])
    expect(matches(label, 'customer draft')).toBe(false)
  })
})
