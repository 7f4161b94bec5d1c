import { signal } from '@preact/signals'

/** The current location: `#/forms/abc?tab=drafts` is `{ path: ['forms', 'abc'], query: tab=drafts }`. */
export interface Location {
  readonly path: readonly string[]
  readonly query: ReadonlyMap<string, string>
}

function read(): Location {
  const [path = '', query = ''] = location.hash.replace(/^#/, '').split('?', 2)
  return {
    path: path.split('/').filter(Boolean).map(safeDecode),
    query: new Map(new URLSearchParams(query)),
  }
}

/** Decodes a percent-encoded part of a URL, or returns it as it is. */
export function safeDecode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export const route = signal<Location>(read())

export function listenToLocation(): void {
  // The token may have been removed from the URL since this module was loaded.
  route.value = read()
  addEventListener('hashchange', () => {
    route.value = read()
  })
}

/** Returns the URL of a view: `link(['forms', id], { tab: 'drafts' })`. Empty parameters are left out. */
export function link(
  path: readonly (string | number)[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const tail = parameters.size > 0 ? `?${parameters}` : ''
  return `#/${path.map((segment) => encodeURIComponent(segment)).join('/')}${tail}`
}

export function go(url: string): void {
  location.hash = url
}

/** Changes the URL without a history entry, so that filters do not fill the back button. */
export function replaceUrl(url: string): void {
  history.replaceState(null, '', url)
  route.value = read()
}

/** Returns the current URL with some parameters changed. After a click on a link, `route` still has the URL of before. */
export function withQuery(changes: Readonly<Record<string, string | number | undefined>>): string {
  const { path, query } = read()
  return link(path, { ...Object.fromEntries(query), ...changes })
}
