import { signal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Failed, Loading } from './empty.tsx'

/**
 * Returns a component whose code is loaded when it is first shown, so that the first load of the page stays small.
 *
 * @param what What is loading, for the notice: `the summary`.
 */
export function lazyView<Props extends object>(
  what: string,
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  const loaded = signal<FunctionComponent<Props> | undefined>(undefined)
  const hasFailed = signal(false)
  const start = () => {
    hasFailed.value = false
    load().then(
      (component) => {
        loaded.value = component
      },
      () => {
        hasFailed.value = true
      },
    )
  }
  return (props) => {
    useEffect(() => {
      if (!loaded.peek()) start()
    }, [])
    const View = loaded.value
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
        onRetry={start}
      />
    )
  }
}
