/** A link of a Markdown page. */
export interface Link {
  readonly line: number
  readonly target: string
}

const withoutFences = (text: string): string =>
  text.replace(/^([ \t]*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2[ \t]*$/gm, (block) => block.replace(/[^\n]/g, ''))

const blank = (found: string): string => ' '.repeat(found.length)

/** Returns the links of a page, also those of images and of HTML, but not what code shows. */
export function linksOf(text: string): Link[] {
  const prose = withoutFences(text).replace(/(?<!`)(`+)(?!`)(?:[^\n]*?[^`\n])\1(?!`)/g, blank)
  const pattern =
    /\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^[ \t]*\[[^\]]+\]:\s+(\S+)|<(https?:[^>\s]+)>|\b(?:href|src)="([^"]+)"/gm
  return [...prose.matchAll(pattern)].map((match) => ({
    line: prose.slice(0, match.index).split('\n').length,
    target: match.slice(1).find((part) => part !== undefined) as string,
  }))
}

/** Returns the paths of the repository that a page names in code font without linking them, such as `examples/errors`. */
export function namedPathsOf(text: string): Link[] {
  const prose = withoutFences(text).replace(/\[[^\]\n]*\]\([^)\n]*\)/g, blank)
  return [...prose.matchAll(/`((?:bench|docs|examples|packages|scripts|test)\/[\w./-]+)`/g)].map((match) => ({
    line: prose.slice(0, match.index).split('\n').length,
    target: match[1] as string,
  }))
}

/** How a site makes an anchor from a heading. */
export type Slug = (heading: string) => string

/** The anchors of repository pages, such as those of GitHub. */
export const repositorySlug: Slug = (heading) =>
  plain(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** The anchors of VitePress. */
export const siteSlug: Slug = (heading) =>
  plain(heading)
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase()

/** Returns the text of a heading without the marks of links and code. */
const plain = (heading: string): string =>
  heading
    .replace(/\s*\{#[^}]+\}\s*$/, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim()

/** Returns the anchors of a page: its headings, `{#id}` after a heading, and ids in HTML. */
export function anchorsOf(text: string, slug: Slug): ReadonlySet<string> {
  const prose = withoutFences(text)
  const anchors = new Set<string>()
  for (const [, heading] of prose.matchAll(/^#{1,6}[ \t]+(.+)$/gm)) {
    const [, given] = /\{#([^}]+)\}\s*$/.exec(heading as string) ?? []
    const base = given ?? slug(heading as string)
    let anchor = base
    for (let copy = 1; anchors.has(anchor); copy += 1) anchor = `${base}-${copy}`
    anchors.add(anchor)
  }
  for (const [, id] of prose.matchAll(/<[a-z][^>]*\s(?:id|name)="([^"]+)"/g)) anchors.add(id as string)
  return anchors
}
