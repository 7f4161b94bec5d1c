/** Maximum length of the text of a cell. The open item shows the whole text. */
const CELL_MAX = 240

/**
 * Untrusted text (title, answer, URL) on one line, truncated to fit. `bdi` keeps right-to-left text and direction marks from
 * affecting the text around it.
 */
export function Line({ value, class: className = '' }: { value: string; class?: string }) {
  return (
    <bdi class={`line ${className}`} title={value.length > 24 ? value.slice(0, 1_000) : undefined}>
      {value.length > CELL_MAX ? `${value.slice(0, CELL_MAX)}…` : value}
    </bdi>
  )
}

/** Words in right-to-left scripts. */
const RIGHT_TO_LEFT =
  /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+(?:\s+[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+)*)/u

/**
 * A line to copy, such as a command, that is always left to right: right-to-left words are isolated, or they would move the
 * quotes and commas between them.
 */
export function LeftToRight({ text }: { text: string }) {
  return <>{text.split(RIGHT_TO_LEFT).map((part, index) => (index % 2 === 1 ? <bdi>{part}</bdi> : part))}</>
}

/** Untrusted text in full, in a box that scrolls if it is long. Focusable, so that keys can scroll it. */
export function Passage({ value, label, mono = false }: { value: string; label: string; mono?: boolean }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form control; this is a named box of text.
    <div
      class={`box passage ${mono ? 'mono' : ''}`}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      <bdi dir="auto">{value}</bdi>
    </div>
  )
}

/** A value to copy: an id, a key, the value of a header. */
export function Code({ value }: { value: string }) {
  return (
    <code class="line" title={value.length > 24 ? value : undefined}>
      {value}
    </code>
  )
}
