/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { replaceAddress, route, withQuery } from '../router.ts'

/** What a filter of the view is set to; `''` stands for all. Filters live in the address, so that a link carries them. */
export const filterValue = (name: string): string => route.value.query.get(name) ?? ''

/** The words of the search box, in lower case. */
export const searchWords = (): string => filterValue('q').trim().toLowerCase()

const setFilter = (name: string, value: string): void => replaceAddress(withQuery({ [name]: value }))

/**
 * The row of a view's filters, with how many entries they leave.
 *
 * @param isSpoken Read out as it changes: for a search that goes on for a while, not for a list that fills by itself.
 */
export function Filters({
  tally,
  isSpoken = false,
  children,
}: {
  tally: string
  isSpoken?: boolean
  children: ComponentChildren
}) {
  return (
    <search class="filters">
      {children}
      <span class="muted tally" role={isSpoken ? 'status' : undefined}>
        {tally}
      </span>
    </search>
  )
}

/** The view's search box, the parameter `q` of the address; the `/` key goes to it from anywhere. */
export function QuerySearch({ label }: { label: string }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if (target.closest('input, textarea, select, dialog')) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <label class="search">
      <span class="off-screen">{label}</span>
      <input
        ref={input}
        type="search"
        placeholder={label}
        value={filterValue('q')}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setFilter('q', event.currentTarget.value)}
      />
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd takes no focus. */}
      <kbd aria-hidden="true">/</kbd>
    </label>
  )
}

/**
 * A filter that is a choice, bound to a parameter of the address.
 *
 * @param any What the choice of everything is called: `Any status`.
 */
export function QueryChoice({
  label,
  name,
  any,
  options,
}: {
  label: string
  name: string
  any: string
  options: readonly (readonly [value: string, text: string])[]
}) {
  const value = filterValue(name)
  // A link may carry what is no longer there: the list is then empty, and this says why.
  const isKnown = value === '' || options.some(([option]) => option === value)
  return (
    <label class="choice">
      <span class="off-screen">{label}</span>
      <select
        value={value}
        onChange={(event) => setFilter(name, event.currentTarget.value)}
        aria-label={label}
      >
        <option value="">{any}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
        {isKnown ? null : <option value={value}>{value.slice(0, 40)} (not there)</option>}
      </select>
    </label>
  )
}
