/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Line } from '../ui/text.tsx'
import { withoutUnseen } from '../unseen.ts'

/** The heading of a view; it takes the focus when the view changes, and names the tab. */
export function Heading({
  title,
  back,
  aside,
}: {
  title: string
  /** Where one came from. */
  back?: { href: string; text: string }
  aside?: ComponentChildren
}) {
  useEffect(() => {
    document.title = `${withoutUnseen(title).slice(0, 80)} · Formwire console`
  }, [title])
  return (
    <header class="heading">
      {back ? (
        <a class="back" href={back.href}>
          <span aria-hidden="true">←</span> {back.text}
        </a>
      ) : null}
      <h1 tabIndex={-1}>
        <Line value={title} />
      </h1>
      {aside ? <div class="heading-aside">{aside}</div> : null}
    </header>
  )
}
