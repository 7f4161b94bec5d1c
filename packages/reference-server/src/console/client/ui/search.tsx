/** @jsxImportSource preact */
import { useEffect, useRef } from 'preact/hooks'

/** The view's search box; the `/` key goes to it from anywhere. */
export function Search({
  value,
  onInput,
  label,
}: {
  value: string
  onInput: (value: string) => void
  label: string
}) {
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
        value={value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd takes no focus. */}
      <kbd aria-hidden="true">/</kbd>
    </label>
  )
}

/** A labelled choice of a filter. `''` stands for all. */
export function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onChange: (value: string) => void
}) {
  return (
    <label class="choice">
      <span class="off-screen">{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)} aria-label={label}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
