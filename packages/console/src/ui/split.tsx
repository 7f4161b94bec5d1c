import type { ComponentChildren } from 'preact'

/** A list, with its open item beside it. */
export const Split = ({ pane, children }: { pane: ComponentChildren; children: ComponentChildren }) => (
  <div class={`split ${pane ? 'is-open' : ''}`}>
    <div class="split-list">{children}</div>
    {pane}
  </div>
)
