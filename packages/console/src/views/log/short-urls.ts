import { withoutScheme } from '../../format.ts'

/**
 * Returns the part of each URL that tells it from the others: its path, without the segments that all of them begin with; host and path
 * where the path does not tell it apart.
 */
export function shortUrls(urls: readonly string[]): ReadonlyMap<string, string> {
  const pathOf = (url: string) => withoutScheme(url).replace(/^[^/]*/, '')
  const paths = urls.map(pathOf)
  const isTelling = (path: string) => path.length > 1 && paths.indexOf(path) === paths.lastIndexOf(path)
  const telling = paths.filter(isTelling).map((path) => path.split('/'))
  const same = (segment: string, at: number) =>
    telling.every((path) => path[at] === segment && at + 1 < path.length)
  const shared = telling.length > 1 ? (telling[0]?.findIndex((segment, at) => !same(segment, at)) ?? 0) : 0
  const short = (path: string) => (shared > 1 ? `…/${path.split('/').slice(shared).join('/')}` : path)
  return new Map(
    urls.map((url, at) => [url, isTelling(paths[at] ?? '') ? short(paths[at] ?? '') : withoutScheme(url)]),
  )
}
