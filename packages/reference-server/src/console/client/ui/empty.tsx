/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { Command } from './copy.tsx'

/** What an empty view says: why it is empty, and the command that fills it. */
export function Empty({
  title,
  children,
  command,
}: {
  title: string
  children?: ComponentChildren
  command?: string | undefined
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children ? <p>{children}</p> : null}
      {command ? <Command text={command} /> : null}
    </div>
  )
}

/** A failed load, with another try. */
export function Failed({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div class="empty failed" role="alert">
      <h2>This did not load</h2>
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
