/** The parts of Markdown that the site's scripts need. They change text, never code. */

const FENCE = /^( *)(`{3,}|~{3,})/

/** Changes the text between fenced code blocks. */
function mapOutsideFences(markdown: string, change: (text: string) => string): string {
  const parts: string[] = []
  let text: string[] = []
  let fence = ''
  const flush = (): void => {
    if (text.length > 0) parts.push(change(text.join('\n')))
    text = []
  }
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[2] ?? ''
    if (fence === '' && mark === '') {
      text.push(line)
      continue
    }
    if (fence === '') {
      flush()
      fence = mark
    } else if (mark.startsWith(fence)) fence = ''
    parts.push(line)
  }
  flush()
  return parts.join('\n')
}

/** Changes the text outside of fenced code blocks and `code`. */
export function mapProse(markdown: string, change: (text: string) => string): string {
  return mapOutsideFences(markdown, (text) => {
    const codes: string[] = []
    const masked = text.replace(/(`+)[^`](?:[\s\S]*?[^`])??\1(?!`)/g, (code) => `\0${codes.push(code) - 1}\0`)
    return change(masked).replace(/\0(\d+)\0/g, (_, index) => codes[Number(index)] as string)
  })
}

const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g

/** A link or an image. Its text may contain placeholders for `code`. */
export interface Link {
  text: string
  target: string
  isImage: boolean
}

/** Replaces links and images by what `change` returns: a target, or null for the text alone. */
export function mapLinks(markdown: string, change: (link: Link) => string | null): string {
  const replaced = (text: string): string =>
    text.replace(LINK, (_, bang: string, label: string, target: string) => {
      // A link around an image.
      const inner = replaced(label)
      const changed = change({ text: label, target, isImage: bang !== '' })
      return changed === null ? inner : `${bang}[${inner}](${changed})`
    })
  return mapProse(markdown, replaced)
}

/** Removes HTML comments. */
export const withoutComments = (markdown: string): string =>
  mapOutsideFences(markdown, (text) => text.replace(/<!--[\s\S]*?-->\n?/g, ''))

/** Returns the text of the first heading. @throws Error without one */
export function titleOf(markdown: string, name: string): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1]
  if (title === undefined) throw new Error(`${name} must have a heading of level 1`)
  return plain(title)
}

/** Returns the first sentence after the title, without marks, or an empty text. */
export function firstSentence(markdown: string): string {
  const [, after = ''] = /^# .+\n([\s\S]*)$/m.exec(markdown) ?? []
  const paragraph = after
    .split(/\n{2,}/)
    .map((text) => text.trim())
    .find((text) => /^[\p{L}`[*"]/u.test(text))
  const [sentence = ''] = /^.*?[.!?](?=\s|$)/s.exec(plain(paragraph ?? '').replace(/\s+/g, ' ')) ?? []
  return sentence
}

/** Returns text without links, emphasis and code marks. */
function plain(text: string): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`|\*\*/g, '')
    .trim()
}

/** Returns the anchor of a heading as GitHub makes it, so that links work there and on the site. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}
