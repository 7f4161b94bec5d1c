/** @jsxImportSource preact */

/** Longest text that a cell puts into the page; what is cut off is there when the entry is opened. */
const CELL_MAX = 240

/**
 * A text of somebody else (title, answer, url): one line, cut off to its place. `bdi` keeps a right-to-left text, or
 * one full of direction marks, from turning what stands around it.
 */
export function Line({ value, class: className = '' }: { value: string; class?: string }) {
  return (
    <bdi class={`line ${className}`} title={value.length > 24 ? value.slice(0, 1_000) : undefined}>
      {value.length > CELL_MAX ? `${value.slice(0, CELL_MAX)}…` : value}
    </bdi>
  )
}

/** Words of scripts that run from right to left. */
const RIGHT_TO_LEFT =
  /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+(?:\s+[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+)*)/u

/**
 * A line to be copied, such as a command, that runs from left to right whatever is in it: words of other scripts are
 * isolated, or they would draw the quotes and commas between them to their side.
 */
export function LeftToRight({ text }: { text: string }) {
  return <>{text.split(RIGHT_TO_LEFT).map((part, index) => (index % 2 === 1 ? <bdi>{part}</bdi> : part))}</>
}

/** A text of somebody else in full, in a box that scrolls when it is long. Focusable, so that keys scroll it too. */
export function Passage({ value, label, mono = false }: { value: string; label: string; mono?: boolean }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form control; this is a named box of text.
    <div
      class={`passage ${mono ? 'mono' : ''}`}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
      tabIndex={0}
    >
      <bdi dir="auto">{value}</bdi>
    </div>
  )
}

/** Something to paste: an id, a key, a header's value. */
export function Code({ value }: { value: string }) {
  return (
    <code class="line" title={value.length > 24 ? value : undefined}>
      {value}
    </code>
  )
}
