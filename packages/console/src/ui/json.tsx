// biome-ignore-all lint/a11y/useSemanticElements: a fieldset would announce a form control; this is a named box of text.
import type { ComponentChild } from 'preact'
import { escapeInvisible } from '../invisible.ts'

/** Longer JSON is not highlighted, because rendering would be slow. */
const COLOURED_MAX = 40_000

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)/g

function colour(text: string): ComponentChild[] {
  const parts: ComponentChild[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon, number] = match
    if (match.index > end) parts.push(text.slice(end, match.index))
    // Each string is isolated, so that right-to-left text does not reverse the punctuation around it.
    if (string !== undefined) {
      parts.push(<bdi class={colon === undefined ? 'json-string' : 'json-key'}>{string}</bdi>, colon ?? '')
    } else parts.push(<span class={number === undefined ? 'json-word' : 'json-number'}>{whole}</span>)
    end = match.index + whole.length
  }
  parts.push(text.slice(end))
  return parts
}

/** A value as indented JSON. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = escapeInvisible(JSON.stringify(value, null, 2) ?? 'undefined')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <pre class="box json" dir="ltr" tabIndex={0} aria-label={label} role="group">
      {text.length > COLOURED_MAX ? text : colour(text)}
    </pre>
  )
}
