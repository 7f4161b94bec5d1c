import type { ComponentChildren } from 'preact'
import type { Resource } from '../state/resource.ts'
import { Button } from './button.tsx'
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
      {children ? <p class="muted">{children}</p> : null}
      {actions ? <div class="row actions">{actions}</div> : null}
      {command ? <Command text={command} /> : null}
    </div>
  )
}

/** A failed load, with a button to retry. */
export function Failed({ message, onRetry }: { message: string; onRetry: () => unknown }) {
  return (
    <div class="empty failed" role="alert">
      <span class="empty-icon">
        <Icon name="alert" />
      </span>
      <h2>Could not load</h2>
      <p class="muted">{message}</p>
      <Button run={onRetry}>Try again</Button>
    </div>
  )
}

export function Loading({ what }: { what: string }) {
  return (
    <p class="muted loading" role="status">
      Loading {what}…
    </p>
  )
}

/** Whether the latest load of some data succeeded. */
export const isLoaded = ({ data, error }: Resource<unknown>): boolean =>
  data.value !== undefined && error.value === undefined

/** Stands for data that is loading, or that could not be loaded. */
export function NotLoaded({ of, what }: { of: Resource<unknown>; what: string }) {
  const message = of.error.value
  return message === undefined ? <Loading what={what} /> : <Failed message={message} onRetry={of.refresh} />
}
