/** @jsxImportSource preact */
import type { Resource } from '../state/resource.ts'

/**
 * Says that what is shown could not be read again, and why. Shows nothing while all is fresh, and nothing before the
 * first load: that failure stands in the place of the data.
 */
export function Stale({ of }: { of: readonly Resource<unknown>[] }) {
  const failed = of.filter(({ data, error }) => data.value !== undefined && error.value !== undefined)
  return (
    <div role="status">
      {failed.length > 0 ? (
        <p class="note stale">
          <span>
            <strong>This is from before</strong>, it could not be read again: {failed[0]?.error.value}
          </span>
          <button
            type="button"
            class="button small"
            onClick={() => {
              for (const one of failed) void one.refresh()
            }}
          >
            Try again
          </button>
        </p>
      ) : null}
    </div>
  )
}
