import type { Choice } from '@formwire/contract/control'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/controls.tsx'
import { moved, withLabels } from './model.ts'
import { useReorder } from './reorder.tsx'

/** Labels that a new question has. */
const PLACEHOLDER = /^(Option|Row|Column) \d+$/

interface ChoicesProps {
  readonly name: string
  readonly value: readonly Choice[]
  readonly saved: readonly Choice[] | undefined
  readonly isInvalid: boolean
  readonly onChange: (choices: readonly Choice[]) => void
  readonly onLeave: () => void
}

/**
 * The options of a question, or the rows or columns of a grid. Enter adds the next, and lines that are pasted become one each.
 *
 * @param name Name of one: `option`.
 * @param onLeave Called by Enter in one without a text.
 */
export function Choices({ name, value, saved, isInvalid, onChange, onLeave }: ChoicesProps) {
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  const list = useRef<HTMLOListElement>(null)
  const focused = useRef(-1)
  const focus = (index: number) => {
    const field = list.current?.querySelectorAll('input')[index]
    field?.focus()
    field?.select()
  }
  useLayoutEffect(() => {
    if (focused.current >= 0) focus(focused.current)
    focused.current = -1
  })
  const change = (at: number, labels: readonly string[], focusAt = -1) => {
    focused.current = focusAt
    onChange(withLabels(value, at, labels, saved))
  }
  const remove = (at: number) => change(at, [], Math.max(0, at - 1))
  const add = (at: number) => {
    const taken = value.map(({ label }) => label)
    let number = value.length + 1
    while (taken.includes(`${title} ${number}`)) number++
    const before = Math.max(0, at - 1)
    change(before, [...taken.slice(before, at), `${title} ${number}`], at)
  }
  const { rowOf, handleOf, onKeyDown } = useReorder(list, (from, to) => {
    onChange(moved(value, from, to))
    announce(`Moved “${value[from]?.label}” to place ${to + 1} of ${value.length}`, 'quiet')
  })
  const onKey = (event: KeyboardEvent, at: number) => {
    const isEmpty = value[at]?.label === ''
    if (event.key === 'Backspace' && isEmpty) remove(at)
    else if (event.key !== 'Enter' || event.isComposing) return onKeyDown(event, at)
    else if (isEmpty) {
      change(at, [])
      onLeave()
    } else if (PLACEHOLDER.test(value[at + 1]?.label ?? '')) focus(at + 1)
    else add(at + 1)
    event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent & { currentTarget: HTMLInputElement }, at: number) => {
    const pasted = event.clipboardData?.getData('text').trim() ?? ''
    if (!pasted.includes('\n')) return
    event.preventDefault()
    const { value: text, selectionStart: start, selectionEnd: end } = event.currentTarget
    const lines = `${text.slice(0, start ?? 0)}${pasted}${text.slice(end ?? 0)}`.split('\n')
    const labels = lines.map((line) => line.trim()).filter(Boolean)
    change(at, labels, at + labels.length - 1)
  }
  const hasEmpty = value.some(({ label }) => label.trim() === '')
  return (
    <fieldset class="options">
      <legend class="caption">{title}s</legend>
      <ol ref={list}>
        {value.map(({ label }, index) => (
          <li key={index} {...rowOf(index, 'bar')}>
            {handleOf(index, `Move ${name} ${index + 1}`)}
            <input
              class="spring"
              aria-label={`${title} ${index + 1}`}
              value={label}
              aria-invalid={isInvalid && (!hasEmpty || label.trim() === '')}
              onInput={(event) => change(index, [event.currentTarget.value])}
              onKeyDown={(event) => onKey(event, index)}
              onPaste={(event) => onPaste(event, index)}
            />
            <Button
              class="button plain icon-only"
              icon="close"
              aria-label={`Remove ${name} ${index + 1}`}
              run={() => remove(index)}
            />
          </li>
        ))}
      </ol>
      <Button class="button small plain" icon="plus" run={() => add(value.length)}>
        Add {name === 'option' ? 'an' : 'a'} {name}
      </Button>
    </fieldset>
  )
}
