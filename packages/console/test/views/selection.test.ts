import { beforeEach, describe, expect, it } from 'vitest'
import { groupPlaces, membersOf, withoutCollapsed } from '../../src/views/log/groups.ts'
import { clearSelection, selectAll, selectedOf, toggleSelected } from '../../src/views/log/selection.ts'
import { delivery } from '../delivery.ts'

const LIST = ['d', 'c', 'b', 'a'].map((id) => delivery(id))
const ROWS = LIST.map((one) => [one])
const selected = (list = LIST): string =>
  selectedOf(list)
    .map(({ id }) => id)
    .join('')

describe('the selection of deliveries', () => {
  beforeEach(clearSelection)

  it('adds and removes a row', () => {
    toggleSelected(ROWS, 1, false)
    toggleSelected(ROWS, 3, false)
    expect(selected()).toBe('ca')
    toggleSelected(ROWS, 1, false)
    expect(selected()).toBe('a')
  })

  it('extends from the row that was used last, up and down, and removes a range as well', () => {
    toggleSelected(ROWS, 3, false)
    toggleSelected(ROWS, 1, true)
    expect(selected()).toBe('cba')
    toggleSelected(ROWS, 2, true)
    expect(selected()).toBe('a')
  })

  it('begins a range at the row itself if the last one is not listed', () => {
    toggleSelected(ROWS, 0, false)
    toggleSelected(ROWS.slice(1), 2, true)
    expect(selected()).toBe('da')
  })

  it('holds what a filter hides until it is listed again', () => {
    selectAll(LIST)
    expect(selected(LIST.slice(2))).toBe('ba')
    expect(selected()).toHaveLength(4)
    clearSelection()
    expect(selected()).toBe('')
  })

  it('takes all deliveries of a collapsed group', () => {
    const list = [
      delivery('x', { response_id: 7, webhook_id: 1 }),
      delivery('y', { response_id: 7, webhook_id: 2 }),
      delivery('z', { response_id: 8 }),
    ]
    const members = (collapsed: ReadonlySet<string>) =>
      membersOf(withoutCollapsed(list, groupPlaces(list), collapsed), collapsed)
    toggleSelected(members(new Set()), 0, false)
    expect(selected(list)).toBe('x')
    clearSelection()
    // The oldest delivery of a group names it.
    toggleSelected(members(new Set(['y'])), 0, false)
    expect(selected(list)).toBe('xy')
  })
})
