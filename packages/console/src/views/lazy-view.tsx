import { signal } from '@preact/signals'
import type { ComponentProps, FunctionComponent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Failed, Loading } from '../ui/loading.tsx'

type Parts = typeof import('./lazy-parts.ts')

const parts = signal<Parts | undefined>(undefined)
const hasFailed = signal(false)

function load(): void {
  hasFailed.value = false
  import('./lazy-parts.ts').then(
    (loaded) => {
      parts.value = loaded
    },
    () => {
      hasFailed.value = true
    },
  )
}

/**
 * Returns a component of `lazy-parts.ts`, which is loaded when one is first shown, so that the first load of the page stays small.
 *
 * @param what What is loading, for the notice: `the summary`.
 */
export function lazyView<Name extends keyof Parts>(
  name: Name,
  what: string,
): FunctionComponent<ComponentProps<Parts[Name]>> {
  return (props) => {
    useEffect(() => {
      if (!parts.peek()) load()
    }, [])
    const View = parts.value?.[name] as FunctionComponent<typeof props> | undefined
    const wasLoaded = useRef(View !== undefined)
    useEffect(() => {
      if (!View || wasLoaded.current) return
      wasLoaded.current = true
      // The heading of a whole view gets the focus when the view changes; here it came later than the change.
      const isMoved = document.activeElement?.closest('nav') != null
      if (isMoved) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    }, [View])
    if (View) return <View {...props} />
    if (!hasFailed.value) return <Loading what={what} />
    return (
      <Failed
        message="This part of the console could not be loaded. If the server was updated, reload the page."
        onRetry={load}
      />
    )
  }
}
