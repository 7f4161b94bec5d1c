import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { go, link, replaceUrl, route, withQuery } from '../router.ts'
import { type Option, Select } from './controls.tsx'
import { currentRow } from './grid.tsx'

/** Returns the value of a filter; `''` means no filter. Filters are in the URL, so that links include them. */
export const filterValue = (name: string): string => route.value.query.get(name) ?? ''

/** Returns the text of the search box in lower case. */
export const searchWords = (): string => filterValue('q').trim().toLowerCase()

/** Identifies what the filters of the URL let through: a list with other ones starts at its top. */
export const filterKey = (): string => [...route.value.query].flat().join('\n')

interface FiltersProps {
  readonly tally: string
  readonly isSpoken?: boolean
  readonly isSet?: boolean
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/**
 * The filters of a view, with the number of matching rows.
 *
 * @param isSet Whether there is something to clear. @default whether the URL has parameters
 * @param actions Buttons at the end of the line.
 * @param isSpoken Whether screen readers announce changes of the number. Set it for a search that takes a while, not for a
 *   live list.
 */
export function Filters(props: FiltersProps) {
  const { tally, isSpoken = false, isSet = route.value.query.size > 0, actions, children } = props
  return (
    <search class="row filters">
      {children}
      {isSet && (
        <a
          class="button small"
          href={link(route.value.path)}
          // This link goes with the filters, and would lose the focus.
          onClick={({ currentTarget }) =>
            currentTarget.closest('search')?.querySelector<HTMLElement>('input, select')?.focus()
          }
        >
          Clear filters
        </a>
      )}
      <span class="muted end tally" role={isSpoken ? 'status' : undefined}>
        {tally}
      </span>
      {actions}
    </search>
  )
}

/** Moves from the search box to the results: with the arrow or Enter, and with Escape once the box is empty. */
function leaveSearch(event: TargetedKeyboardEvent<HTMLInputElement>): void {
  const { key, currentTarget: box, isComposing } = event
  // This Enter chooses a word of an input method.
  if (isComposing) return
  if (key !== 'ArrowDown' && key !== 'Enter' && (key !== 'Escape' || box.value !== '')) return
  event.preventDefault()
  const row = currentRow()
  if (row) row.focus()
  else if (key === 'Escape') box.blur()
}

/** The search box of the view, bound to the URL parameter `q`. The `/` key moves the focus to it. */
export const QuerySearch = ({ label }: { label: string }) => (
  <label class="search">
    <span class="off-screen">{label}</span>
    <input
      type="search"
      placeholder={label}
      value={filterValue('q')}
      autocomplete="off"
      spellcheck={false}
      // No letter gets a history entry.
      onInput={(event) => replaceUrl(withQuery({ q: event.currentTarget.value }))}
      onKeyDown={leaveSearch}
    />
    {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd element is not focusable. */}
    <kbd aria-hidden="true">/</kbd>
  </label>
)

interface QueryChoiceProps {
  readonly label: string
  readonly name: string
  /** Label of the option without a filter: `Any status`. */
  readonly any: string
  readonly options: readonly Option[]
}

/** A filter with options, bound to a URL parameter; `''` means no filter. The back button undoes a choice. */
export function QueryChoice({ name, options, ...others }: QueryChoiceProps) {
  const value = filterValue(name)
  // A link can contain a value that was deleted. The list is then empty, and this option shows why.
  const isKnown = value === '' || options.some(([option]) => String(option) === value)
  return (
    <Select
      class="choice"
      text=""
      value={value}
      options={isKnown ? options : [...options, [value, `${value.slice(0, 40)} (deleted)`]]}
      choose={(chosen) => go(withQuery({ [name]: chosen }))}
      {...others}
    />
  )
}
