import type { ComponentChildren } from 'preact'

/** A line of `<dl class="facts">`. */
export const Fact = ({
  label,
  class: className,
  children,
}: {
  label: string
  class?: string
  children: ComponentChildren
}) => (
  <>
    <dt class="muted">{label}</dt>
    <dd class={className}>{children}</dd>
  </>
)
