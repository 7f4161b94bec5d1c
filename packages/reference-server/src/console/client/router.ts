import { signal } from '@preact/signals'

/** Where the reader is: `#/forms/abc?tab=drafts` is `{ path: ['forms', 'abc'], query: tab=drafts }`. */
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

function safeDecode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export const route = signal<Location>(read())

export function listenToAddress(): void {
  // The token may have been taken out of the address since this module was loaded.
  route.value = read()
  addEventListener('hashchange', () => {
    route.value = read()
  })
}

/** The address of a view: `link(['forms', id], { tab: 'drafts' })`. Empty parameters are left out. */
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

export function go(address: string): void {
  location.hash = address
}

/** Changes the address without a new history entry: for filters, which would else fill the back button. */
export function replaceAddress(address: string): void {
  history.replaceState(null, '', address)
  route.value = read()
}

/** The present address with some parameters changed. */
export function withQuery(changes: Readonly<Record<string, string | number | undefined>>): string {
  const { path, query } = route.peek()
  return link(path, { ...Object.fromEntries(query), ...changes })
}
