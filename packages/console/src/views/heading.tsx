import { replaceInvisible } from '@formwire/internal/invisible'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Line } from '../ui/values.tsx'

interface HeadingProps {
  readonly title: string
  /** Link to the parent view. */
  readonly back?: { href: string; text: string }
  readonly aside?: ComponentChildren
  readonly actions?: ComponentChildren
}

/** The heading of a view. Gets the focus when the view changes, and sets the title of the tab. */
export function Heading({ title, back, aside, actions }: HeadingProps) {
  useEffect(() => {
    document.title = `${replaceInvisible(title, () => ' ').slice(0, 80)} · Formwire console`
  }, [title])
  return (
    <header class="row heading">
      {back ? (
        <a class="hint full back" href={back.href}>
          <span aria-hidden="true">←</span> {back.text}
        </a>
      ) : null}
      <h1 tabIndex={-1}>
        <Line value={title} />
      </h1>
      {aside}
      {actions ? <div class="row end">{actions}</div> : null}
    </header>
  )
}
