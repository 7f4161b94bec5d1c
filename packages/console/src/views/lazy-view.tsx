import type { ComponentProps, FunctionComponent } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { CallError, get, responseCount } from '../api.ts'
import { resource } from '../state/resource.ts'
import { NotLoaded } from '../ui/loading.tsx'

type Parts = typeof import('./lazy-parts.ts')

/** Loads `lazy-parts.ts`. @throws CallError */
export const loadParts = (): Promise<Parts> =>
  import('./lazy-parts.ts').catch(async () => {
    // Throws if the server cannot be reached.
    await get('clock')
    throw new CallError(
      404,
      'This part of the console could not be loaded. If the server was updated, reload the page.',
    )
  })

const parts = resource(loadParts)

// The server can be reached again.
responseCount.subscribe(() => {
  if (parts.status.peek() === 0) void parts.freshen()
})

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
      if (!parts.data.peek()) void parts.freshen()
    }, [])
    const View = parts.data.value?.[name] as FunctionComponent<typeof props> | undefined
    const wasLoaded = useRef(View !== undefined)
    useLayoutEffect(() => {
      if (!View || wasLoaded.current) return
      wasLoaded.current = true
      // The heading of a whole view gets the focus when the view changes; here it came later than the change.
      const isMoved = document.activeElement?.closest('nav') != null
      if (isMoved) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    }, [View])
    return View ? <View {...props} /> : <NotLoaded of={parts} what={what} />
  }
}
