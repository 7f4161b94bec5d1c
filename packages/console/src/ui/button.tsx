import type { ButtonHTMLAttributes } from 'preact'

/**
 * A button that keeps the focus while it is off, so that the keyboard stays where it was: a disabled one would lose it.
 *
 * @param isOff Whether it does nothing now. @default false
 */
export function Button({
  run,
  isOff,
  class: className = 'button',
  children,
  ...attributes
}: Omit<ButtonHTMLAttributes, 'onClick' | 'type' | 'class'> & {
  run: () => unknown
  isOff?: boolean
  class?: string
}) {
  return (
    <button
      type="button"
      class={className}
      aria-disabled={isOff}
      {...attributes}
      onClick={() => {
        if (!isOff) run()
      }}
    >
      {children}
    </button>
  )
}
