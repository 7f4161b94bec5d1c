/** What the scripts need to know of Markdown. They read and change text, never code. */
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toString as textOf } from 'mdast-util-to-string'

type Root = ReturnType<typeof fromMarkdown>
type Node = Root | Root['children'][number]

/** Part of a page, by the offsets of its characters, and the text to put there. */
type Edit = [start: number, end: number, text: string]

/** On the site, HTML is text; GitHub and npm read it. */
const WITHOUT_HTML = { extensions: [{ disable: { null: ['htmlFlow', 'htmlText'] } }] }

/** Returns the nodes of a page, each after what it contains. */
const nodesOf = (root: Node): Node[] => [...('children' in root ? root.children.flatMap(nodesOf) : []), root]

const startOf = ({ position }: Node): number => position?.start.offset ?? 0
const endOf = ({ position }: Node): number => position?.end.offset ?? 0

function withEdits(markdown: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted(([one], [other]) => other - one)
  return ordered.reduce((text, [start, end, put]) => text.slice(0, start) + put + text.slice(end), markdown)
}

/** A link or an image. */
export interface Link {
  target: string
  isImage: boolean
}

/** Replaces the targets of links and images by what `change` returns. */
export function mapLinks(markdown: string, change: (link: Link) => string): string {
  const edits = nodesOf(fromMarkdown(markdown, WITHOUT_HTML)).flatMap((node): Edit[] => {
    if (node.type !== 'link' && node.type !== 'image') return []
    const [start, end] = [startOf(node), endOf(node)]
    const at = markdown.slice(start, end).lastIndexOf('](')
    // A link may also be `<https://…>`.
    if (at < 0) return []
    return [[start + at + 2, end - 1, change({ target: node.url, isImage: node.type === 'image' })]]
  })
  return withEdits(markdown, edits)
}

/** Removes HTML comments. */
export function withoutComments(markdown: string): string {
  const html = nodesOf(fromMarkdown(markdown)).filter(({ type }) => type === 'html')
  const edits = html.map((node): Edit => {
    const [start, end] = [startOf(node), endOf(node) + 1]
    return [start, end, markdown.slice(start, end).replace(/<!--[\s\S]*?-->\n?/g, '')]
  })
  return withEdits(markdown, edits)
}

/** Returns text without links, images, emphasis and marks of code. */
const plain = (node: Node): string => textOf(node, { includeImageAlt: false, includeHtml: false }).trim()

/** Returns the title of a page, and the first sentence after it or an empty text. @throws Error without a heading of level 1 */
export function summaryOf(markdown: string, name: string): { title: string; sentence: string } {
  const { children } = fromMarkdown(markdown, WITHOUT_HTML)
  const at = children.findIndex((node) => node.type === 'heading' && node.depth === 1)
  const heading = children[at]
  if (!heading) throw new Error(`${name} must have a heading of level 1`)
  const paragraph = children
    .slice(at + 1)
    .find((node) => node.type === 'paragraph' && /^[\p{L}`[*"]/u.test(markdown.slice(startOf(node))))
  const text = paragraph ? plain(paragraph).replace(/\s+/g, ' ') : ''
  return { title: plain(heading), sentence: /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? '' }
}

/** Returns the anchor of a heading as GitHub makes it, so that links work there and on the site. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Returns the targets of the links and images of a page, but not what code shows. */
export function targetsOf(markdown: string): string[] {
  return nodesOf(fromMarkdown(markdown)).flatMap((node) =>
    node.type === 'link' || node.type === 'image' || node.type === 'definition' ? [node.url] : [],
  )
}

/** Returns the anchors of a page: its headings, and ids in HTML. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const html = nodesOf(fromMarkdown(markdown)).filter((node) => node.type === 'html')
  const ids = html.flatMap(({ value }) =>
    [...value.matchAll(/<[a-z][^>]*\s(?:id|name)="([^"]+)"/g)].map(([, id = '']) => id),
  )
  return new Set([...headingSectionsOf(markdown).flatMap(({ anchors }) => anchors), ...ids])
}

/** A part of a page, from one heading to the next. */
export interface Section {
  /** Anchors of the heading, that of its text first. Empty for what is before the first heading. */
  readonly anchors: readonly string[]
  readonly title: string
  /** 1 to 6; 0 without a heading. */
  readonly level: number
  /** Markdown, with the heading. */
  readonly text: string
}

/** Returns the sections of a page in their order. Together, their texts are the page. */
export function headingSectionsOf(markdown: string): Section[] {
  const headings = fromMarkdown(markdown).children.filter((node) => node.type === 'heading')
  const counts = new Map<string, number>()
  const sections = headings.map((heading, index): Section => {
    const text = markdown.slice(startOf(heading), headings[index + 1] && startOf(headings[index + 1] as Node))
    const slug = slugOf(plain(heading))
    const copy = counts.get(slug) ?? 0
    counts.set(slug, copy + 1)
    const ids = [...(text.split('\n')[0] ?? '').matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)
    const anchors = [copy === 0 ? slug : `${slug}-${copy}`, ...ids]
    return { anchors, title: plain(heading), level: heading.depth, text }
  })
  const start = markdown.slice(0, headings[0] && startOf(headings[0]))
  return start.trim() === '' ? sections : [{ anchors: [], title: '', level: 0, text: start }, ...sections]
}

/** A fenced block of a page. */
interface Block {
  /** The block with its fences. */
  whole: string
  language: string
  code: string
  /** Name of the file that the block is saved as: from the text before it, or from its tab. */
  name: string | undefined
  /** The text between the block before and this one. */
  before: string
}

/** Returns the fenced blocks of a page. */
export function blocksOf(markdown: string): Block[] {
  let end = 0
  return nodesOf(fromMarkdown(markdown, WITHOUT_HTML)).flatMap((node): Block[] => {
    const whole = markdown.slice(startOf(node), endOf(node))
    if (node.type !== 'code' || !/^[`~]/.test(whole)) return []
    const before = markdown.slice(end, startOf(node))
    const saved = /Save this as\s+`([^`]+)`/.exec(before)?.[1]
    const tab = /^\[([^\]]+\.[^\]]+)\]/.exec(node.meta ?? '')?.[1]
    end = endOf(node)
    return [{ whole, language: node.lang ?? '', code: `${node.value}\n`, name: tab ?? saved, before }]
  })
}
