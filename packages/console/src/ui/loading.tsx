import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { link, route } from '../router.ts'
import type { Resource } from '../state/resource.ts'
import { dismissOffline } from './announcer.tsx'
import { Button, Icon, type IconName } from './controls.tsx'

interface EmptyProps {
  readonly title: string
  /** Icon of what would be listed. @default the one of a search without results */
  readonly icon?: IconName
  readonly children?: ComponentChildren
}

/** Content of an empty view: why it is empty, and what fills it. */
export const Empty = ({ title, icon = 'search', children }: EmptyProps) => (
  <div class="empty">
    <span class="empty-icon">
      <Icon name={icon} />
    </span>
    <h2>{title}</h2>
    {children ? <p class="muted">{children}</p> : null}
  </div>
)

/** Whether the latest load of some data succeeded. */
export const isLoaded = ({ data, error }: Resource<unknown>): boolean =>
  data.value !== undefined && error.value === undefined

interface NoRowsProps {
  readonly of: Resource<unknown>
  readonly what: string
  readonly total: number
  readonly children?: ComponentChildren
}

/**
 * Stands for the rows of a list that has none: they are loading, could not be loaded or do not match, or there are none, which
 * `children` explains.
 *
 * @param what What the list has, such as `forms`.
 * @param total Number of rows without filters.
 */
export function NoRows({ of, what, total, children }: NoRowsProps) {
  if (!isLoaded(of)) return <NotLoaded of={of} what={`the ${what}`} />
  if (total === 0) return <>{children}</>
  return (
    <Empty title={`No matching ${what}`}>
      Clear a filter, or <a href={link(route.value.path)}>show all {total.toLocaleString('en')}</a>.
    </Empty>
  )
}

/**
 * Returns the data of an open item, which is refreshed while it is shown. Nothing of what was deleted, by another program or a reset:
 * not even what was loaded before.
 */
export function useItem<Data>(item: Resource<Data>, pulse?: ReadonlySignal<number>): Data | undefined {
  const isGone = item.status.value === 404
  useRefreshing(isGone ? undefined : item, pulse, undefined, pulse && MIN_INTERVAL_MS)
  return isGone ? undefined : item.data.value
}

/** Stands for data that is loading, or that could not be loaded. @param gone Why there may be none any more. */
export function NotLoaded({ of, what, gone }: { of: Resource<unknown>; what: string; gone?: string }) {
  if (gone && of.status.value === 404) {
    return (
      <p class="note" role="status">
        {gone}
      </p>
    )
  }
  const message = of.error.value
  return message === undefined ? (
    <p class="muted loading" role="status">
      Loading {what}…
    </p>
  ) : (
    <div class="failed" role="alert">
      <Empty title="Could not load" icon="alert">
        {message}{' '}
        <Button class="button small" run={of.refresh}>
          Try again
        </Button>
      </Empty>
    </div>
  )
}

/**
 * A notice that the shown data could not be refreshed, and why. Empty while the data is fresh, and before the first load,
 * whose failure is shown instead of the data.
 */
export function Stale({ of }: { of: readonly Resource<unknown>[] }) {
  const failed = of.filter(({ data, error }) => data.value !== undefined && error.value !== undefined)
  const isOffline = failed[0]?.status.value === 0
  useEffect(() => {
    if (isOffline) dismissOffline()
  }, [isOffline])
  return (
    <div role="status">
      {failed.length > 0 ? (
        <p
          class={`row between note stale ${isOffline ? 'offline' : ''}`}
          role={isOffline ? 'alert' : undefined}
        >
          <span>
            <strong>Showing stale data.</strong> {failed[0]?.error.value}
          </span>
          <Button class="button small" run={() => Promise.all(failed.map((one) => one.refresh()))}>
            Try again
          </Button>
        </p>
      ) : null}
    </div>
  )
}

const POLL_MS = 5_000
/** Time from a reading to the next one after a delivery. Doubles while deliveries keep arriving. */
const MIN_INTERVAL_MS = 500
/**
 * Pause after a reading, as a multiple of its duration, so that slow readings take at most a tenth of the time: a list of thousands
 * of endpoints must not slow down API clients.
 */
const REST_PER_READING = 9

/**
 * Refreshes the data of a visible view: on the first render, every few seconds, and soon after a delivery.
 *
 * @param resource What to refresh, `undefined` if there is nothing. The parts of the catalog in an array share a request. It must be the
 *   same array at each rendering.
 * @param pollMs Time between two readings. @default 5 s
 * @param liveMs Longest time from a reading to the next one while deliveries keep arriving. @default 5 s
 */
export function useRefreshing(
  resource: Resource<unknown> | readonly Resource<unknown>[] | undefined,
  pulse?: ReadonlySignal<number>,
  pollMs = POLL_MS,
  liveMs = POLL_MS,
): void {
  useLayoutEffect(() => {
    if (!resource) return
    const all = 'freshen' in resource ? [resource] : resource
    let last = 0
    let restsUntil = 0
    let intervalMs = MIN_INTERVAL_MS
    let soon: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      if (document.visibilityState === 'hidden') return
      const beganAt = performance.now()
      last = beganAt
      void Promise.all(all.map((one) => one.freshen())).then(() => {
        const now = performance.now()
        restsUntil = now + (now - beganAt) * REST_PER_READING
      })
    }
    refresh()
    const polling = setInterval(() => {
      if (soon === undefined && performance.now() >= restsUntil) refresh()
    }, pollMs)
    const pulseBefore = pulse?.peek()
    const stopListening = pulse?.subscribe((count) => {
      // A subscription begins with the present value: the view has just been read.
      if (soon !== undefined || count === pulseBefore) return
      const waitMs = Math.max(last + intervalMs, restsUntil) - performance.now()
      intervalMs = waitMs > 0 ? Math.min(2 * intervalMs, liveMs) : MIN_INTERVAL_MS
      soon = setTimeout(
        () => {
          soon = undefined
          refresh()
        },
        Math.max(0, waitMs),
      )
    })
    return () => {
      clearInterval(polling)
      clearTimeout(soon)
      stopListening?.()
    }
  }, [resource, pulse, pollMs, liveMs])
}
