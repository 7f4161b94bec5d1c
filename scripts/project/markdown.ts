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

/** Returns the anchor of a heading, as GitHub makes it. The documentation site has the same ones. */
const slugOf = (heading: string): string =>
  plain(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** Returns the text of a heading without HTML and the marks of links and code. */
const plain = (heading: string): string =>
  heading
    .replace(/<[^>]+>/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim()

/** Returns the anchors of a page: its headings, and ids in HTML. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const prose = withoutFences(text)
  const anchors = new Set<string>()
  for (const [, heading] of prose.matchAll(/^#{1,6}[ \t]+(.+)$/gm)) {
    const base = slugOf(heading as string)
    let anchor = base
    for (let copy = 1; anchors.has(anchor); copy += 1) anchor = `${base}-${copy}`
    anchors.add(anchor)
  }
  for (const [, id] of prose.matchAll(/<[a-z][^>]*\s(?:id|name)="([^"]+)"/g)) anchors.add(id as string)
  return anchors
}
