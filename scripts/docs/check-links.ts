import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { linksOf } from './markdown.ts'

/** Returns every link of a built site that leads to no file, or to no place in one. `base` is where it is served. */
export function brokenLinks(folder: string, base: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const anchors = new Map<string, Set<string>>()
  const anchorsOf = (file: string): Set<string> => {
    let known = anchors.get(file)
    if (!known) {
      known = new Set(
        [...readFileSync(file, 'utf8').matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id as string),
      )
      anchors.set(file, known)
    }
    return known
  }
  const check = (file: string, link: string): string[] => {
    const problem = problemOf(link, join(folder, file))
    return problem === undefined ? [] : [`${file}: "${link}" ${problem}`]
  }
  const problemOf = (link: string, from: string): string | undefined => {
    if (/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(link)) return undefined
    const [, path = '', , hash] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/.exec(decode(link)) ?? []
    if (path.startsWith('/') && !path.startsWith(base)) return `is outside of ${base}`
    const target = path.startsWith('/')
      ? join(folder, path.slice(base.length))
      : path === ''
        ? from
        : join(dirname(from), path)
    const file = existsSync(target) && statSync(target).isDirectory() ? join(target, 'index.html') : target
    if (!existsSync(file)) return `does not exist (${relative(folder, file)})`
    if (!hash || !file.endsWith('.html') || anchorsOf(file).has(hash)) return undefined
    return `has no such place (${hash})`
  }
  return files.flatMap((file) => {
    if (file.endsWith('.html'))
      return hrefsOf(readFileSync(join(folder, file), 'utf8')).flatMap((link) => check(file, link))
    if (!file.endsWith('.md') && file !== 'llms.txt') return []
    return linksOf(readFileSync(join(folder, file), 'utf8')).flatMap(({ target }) => check(file, target))
  })
}

function hrefsOf(html: string): string[] {
  return [...html.matchAll(/<(?:a|link|img|script)\s[^>]*?\b(?:href|src)="([^"]*)"/g)].map(([, link]) =>
    (link as string).replaceAll('&amp;', '&'),
  )
}

function decode(link: string): string {
  try {
    return decodeURI(link)
  } catch {
    return link
  }
}
