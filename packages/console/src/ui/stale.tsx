import type { Resource } from '../state/resource.ts'
import { Button } from './button.tsx'

/**
 * A notice that the shown data could not be refreshed, and why. Empty while the data is fresh, and before the first load,
 * whose failure is shown instead of the data.
 */
export function Stale({ of }: { of: readonly Resource<unknown>[] }) {
  const failed = of.filter(({ data, error }) => data.value !== undefined && error.value !== undefined)
  return (
    <div role="status">
      {failed.length > 0 ? (
        <p class="row between note stale">
          <span>
            <strong>Showing stale data.</strong> {failed[0]?.error.value}
          </span>
          <Button
            class="button small"
            run={() => {
              for (const one of failed) void one.refresh()
            }}
          >
            Try again
          </Button>
        </p>
      ) : null}
    </div>
  )
}
