import type { KnownQuestionType } from '@formwire/contract'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Outline } from '../../ui/controls.tsx'
import { TYPES } from './model.ts'

const ALL = Object.entries(TYPES) as [KnownQuestionType, readonly [name: string, icon: string]][]

interface TypePickerProps {
  readonly label: string
  readonly asked: number
  readonly onPick: (type: KnownQuestionType) => void
  readonly onLeave: () => void
}

/**
 * The types of questions as a grid of icons. What is typed filters it, arrow keys move in it, and Enter or a click picks one.
 *
 * @param label What is picked for, such as `Add a question`.
 * @param asked How often the picker was asked for. It gets the focus each time.
 * @param onLeave Called by Escape.
 */
export function TypePicker({ label, asked, onPick, onLeave }: TypePickerProps) {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (asked === 0) return
    field.current?.focus()
    field.current?.parentElement?.scrollIntoView({ block: 'nearest' })
  }, [asked])
  const words = query.toLowerCase().trim()
  const found = ALL.filter(([type, [name]]) => `${name} ${type}`.toLowerCase().includes(words))
  const active = Math.min(at, found.length - 1)
  const search = (text: string) => {
    setQuery(text)
    setAt(0)
  }
  const pick = (type: KnownQuestionType) => {
    search('')
    onPick(type)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const tops = [...(grid.current?.children ?? [])].map((tile) => (tile as HTMLElement).offsetTop)
    const columns = tops.filter((top) => top === tops[0]).length
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key]
    const chosen = found[active]
    if (step !== undefined) setAt(found[active + step] ? active + step : active)
    else if (event.key === 'Enter' && chosen) pick(chosen[0])
    else if (event.key === 'Escape') query === '' ? onLeave() : search('')
    else return
    event.preventDefault()
  }
  return (
    <li class="card type-picker">
      <input
        ref={field}
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls="question-types"
        aria-activedescendant={found[active] && `type-${found[active][0]}`}
        aria-autocomplete="list"
        placeholder={`${label}: type to filter`}
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div id="question-types" role="listbox" aria-label="Question types" ref={grid}>
        {found.map(([type, [name, icon]], index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys of all options.
          <div
            key={type}
            id={`type-${type}`}
            role="option"
            class="item"
            aria-selected={index === active}
            tabIndex={-1}
            onClick={() => pick(type)}
          >
            <Outline path={icon} />
            {name}
          </div>
        ))}
      </div>
      <p class="hint wrap" role="status">
        {found.length === 0 ? `No type matches “${query.trim()}”.` : ''}
      </p>
    </li>
  )
}
