/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { Command } from './copy.tsx'

/** Content of an empty view: why it is empty, and a command that fills it. */
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

/** A failed load, with a button to retry. */
export function Failed({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div class="empty failed" role="alert">
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
