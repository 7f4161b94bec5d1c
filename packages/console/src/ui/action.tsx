import type { ComponentChildren } from 'preact'

/**
 * A button that keeps the focus while it cannot do anything, so that the keyboard stays where it was: a disabled one would lose
 * it.
 *
 * @param label Accessible name, if the content is none.
 */
export function Action({
  isOff,
  run,
  class: className = 'button',
  label,
  title,
  children,
}: {
  isOff: boolean
  run: () => void
  class?: string
  label?: string
  title?: string
  children: ComponentChildren
}) {
  return (
    <button
      type="button"
      class={className}
      aria-disabled={isOff}
      aria-label={label}
      title={title}
      onClick={() => {
        if (!isOff) run()
      }}
    >
      {children}
    </button>
  )
}
