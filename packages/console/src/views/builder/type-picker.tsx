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
 * The types of questions as buttons. What is typed filters them, and Enter picks the first.
 *
 * @param label What is picked for, such as `Add a question`.
 * @param asked How often the picker was asked for. It gets the focus each time.
 * @param onLeave Called by Escape.
 */
export function TypePicker({ label, asked, onPick, onLeave }: TypePickerProps) {
  const [query, setQuery] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (asked === 0) return
    field.current?.focus()
    field.current?.parentElement?.scrollIntoView({ block: 'nearest' })
  }, [asked])
  const words = query.toLowerCase().trim()
  const found = ALL.filter(([type, [name]]) => `${name} ${type}`.toLowerCase().includes(words))
  const pick = (type: KnownQuestionType) => {
    setQuery('')
    onPick(type)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && found[0]) pick(found[0][0])
    else if (event.key === 'Escape') query === '' ? onLeave() : setQuery('')
    else return
    event.preventDefault()
  }
  return (
    <li class="card type-picker">
      <input
        ref={field}
        aria-label={label}
        placeholder={`${label}: type to filter`}
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="types">
        {found.map(([type, [name, icon]]) => (
          <button key={type} type="button" class="item" onClick={() => pick(type)}>
            <Outline path={icon} />
            {name}
          </button>
        ))}
      </div>
      <p class="hint wrap" role="status">
        {found.length === 0 ? `No type matches “${query.trim()}”.` : ''}
      </p>
    </li>
  )
}
