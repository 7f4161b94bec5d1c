import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SITE = 'https://site.example'

/** Returns every link of a built site that leads to no file, or to no place in one. `base` is where it is served. */
export function brokenLinks(folder: string, base: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html'))
    .map((path) => ({ path, html: readFileSync(join(folder, path), 'utf8') }))
  const places = new Map(
    pages.map(({ path, html }) => [path, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]),
  )
  const isBroken = (link: string, from: string): boolean => {
    const { origin, pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `${SITE}${base}${from}`)
    if (origin !== SITE) return false
    const file = decodeURI(pathname)
      .slice(base.length)
      .replace(/(?:^|(?<=\/))$/, 'index.html')
    if (!pathname.startsWith(base) || !existsSync(join(folder, file))) return true
    return hash !== '' && places.get(file)?.has(decodeURIComponent(hash.slice(1))) === false
  }
  return pages.flatMap(({ path, html }) =>
    [...html.matchAll(/<(?:a|link|img|script)\s[^>]*?\b(?:href|src)="([^"]*)"/g)]
      .filter(([, link = '']) => isBroken(link, path))
      .map(([, link]) => `${path}: "${link}" leads nowhere`),
  )
}
