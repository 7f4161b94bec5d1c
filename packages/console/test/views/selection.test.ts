import { beforeEach, describe, expect, it } from 'vitest'
import { clearSelection, selectAll, selectedOf, toggleSelected } from '../../src/views/log/selection.ts'
import { delivery } from '../delivery.ts'

const LIST = ['d', 'c', 'b', 'a'].map((id) => delivery(id))
const selected = (list = LIST): string =>
  selectedOf(list)
    .map(({ id }) => id)
    .join('')

describe('the selection of deliveries', () => {
  beforeEach(clearSelection)

  it('adds and removes a delivery', () => {
    toggleSelected('c')
    toggleSelected('a')
    expect(selected()).toBe('ca')
    toggleSelected('c')
    expect(selected()).toBe('a')
  })

  it('holds what a filter hides until it is listed again', () => {
    selectAll(LIST)
    expect(selected(LIST.slice(2))).toBe('ba')
    expect(selected()).toHaveLength(4)
    clearSelection()
    expect(selected()).toBe('')
  })
})
