import type { ComponentChildren } from 'preact'
import { Command } from './copy.tsx'
import { Icon, type IconName } from './icon.tsx'

/** Content of an empty view: why it is empty, what fills it, and a command that does. */
export function Empty({
  title,
  icon = 'search',
  children,
  command,
  actions,
}: {
  title: string
  /** Icon of what would be listed. @default the one of a search without results */
  icon?: IconName
  children?: ComponentChildren
  command?: string | undefined
  /** Buttons that fill the view. */
  actions?: ComponentChildren
}) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children ? <p>{children}</p> : null}
      {actions ? <div class="actions">{actions}</div> : null}
      {command ? <Command text={command} /> : null}
    </div>
  )
}

/** A failed load, with a button to retry. */
export function Failed({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div class="empty failed" role="alert">
      <span class="empty-icon">
        <Icon name="alert" />
      </span>
      <h2>Could not load</h2>
      <p>{message}</p>
      <button type="button" class="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}

export function Loading({ what }: { what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what}…
    </p>
  )
}
