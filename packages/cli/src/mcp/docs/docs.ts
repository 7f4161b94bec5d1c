import { setImmediate } from 'node:timers/promises'
import { SEARCH } from '@formwire/internal/docs-search'
import MiniSearch from 'minisearch'
import type { Failure } from '../../failure.ts'
import { safeJson } from '../../output/text-safety.ts'
import { invalidArgument, suggestion, toolFailure } from '../failures.ts'
import { type DocsBundle, type DocsPage, loadBundle } from './bundle.ts'

type Section = DocsPage['sections'][number]

/** Characters of a part, as JSON. */
const PART_MAX_CHARACTERS = 24_000
const EXCERPT_CHARACTERS = 280

let loaded: Promise<Docs> | undefined

/** Returns the documentation, which is read and indexed on the first call. */
export function docs(): Promise<Docs> {
  loaded ??= loadBundle().then((bundle) => Docs.index(bundle))
  return loaded
}

/** The documentation that this version contains. */
class Docs {
  readonly bundle: DocsBundle
  readonly #index: MiniSearch
  readonly #sections = new Map<string, { page: DocsPage; section: Section }>()

  private constructor(bundle: DocsBundle) {
    this.bundle = bundle
    this.#index = new MiniSearch({ fields: ['title', 'titles', 'text'], ...SEARCH.options })
  }

  /** Indexes one page in each turn of the event loop, since other calls are served meanwhile. */
  static async index(bundle: DocsBundle): Promise<Docs> {
    const docs = new Docs(bundle)
    for (const page of bundle.pages) {
      await setImmediate()
      for (const section of page.sections) {
        const id = idOf(page, section)
        docs.#sections.set(id, { page, section })
        docs.#index.add({ id, title: section.title, titles: page.title, text: section.text })
      }
    }
    return docs
  }

  /** Returns the sections that fit a query best, each with the path and the anchor to read it with. */
  search(query: string, limit: number) {
    const found = this.#index.search(query, {
      ...SEARCH.searchOptions,
      boostDocument: (id, term) => SEARCH.searchOptions.boostDocument(`/${id}`, term),
    })
    return found.slice(0, limit).flatMap(({ id, terms }) => {
      const hit = this.#sections.get(id)
      if (hit === undefined) return []
      const { page, section } = hit
      const title = section.level <= 1 ? page.title : `${page.title} › ${section.title}`
      return [{ page: id, title, excerpt: excerptOf(section, terms) }]
    })
  }

  /**
   * Returns a page, or a section with those below it: its first part, or the one with a cursor.
   * @param name Path, link of a page, or id of a rule
   * @throws Failure `not_found`, `invalid_argument`
   */
  read(name: string, cursor?: string) {
    const rule = this.bundle.rules.find(({ id }) => id === name.toUpperCase())
    const [path = '', anchor] = rule ? [RULES_PAGE, rule.id.toLowerCase()] : pathOf(name).split('#')
    const page = this.#pageAt(path)
    if (page === undefined) {
      const places = this.bundle.pages.map((one) => (anchor ? `${one.path}#${anchor}` : one.path))
      throw notFound(`there is no page "${path}"`, anchor ? `${path}#${anchor}` : path, places)
    }
    const text = anchor === undefined ? wholeText(page.sections) : partText(page, anchor)
    let start = 0
    let end = endOfPart(text, start)
    // Parts follow each other: a cursor is where one of them ended.
    for (; cursor !== undefined && (start === 0 || String(start) !== cursor); end = endOfPart(text, start)) {
      start = end
      if (start === text.length)
        throw invalidArgument(
          'cursor',
          `no part of this page begins at "${cursor}"`,
          'begin again without cursor',
        )
    }
    return {
      page: anchor === undefined ? page.path : `${page.path}#${anchor}`,
      title: page.title,
      text: text.slice(start, end),
      next_cursor: end < text.length ? String(end) : null,
    }
  }

  /** Returns the page with a path, the index of a folder, or the only page whose path ends like this. */
  #pageAt(path: string): DocsPage | undefined {
    const { pages } = this.bundle
    const named = pages.find(
      (one) => one.path === path || one.path === `${path.replace(/\/$/, '')}/README.md`,
    )
    const [ending, ...others] = pages.filter((one) => one.path.endsWith(`/${path}`))
    return named ?? (others.length === 0 ? ending : undefined)
  }
}

const RULES_PAGE = 'docs/reference/rules.md'

/** Returns the path that a link of a page names: a URL of the repository or of the site, or a path from another folder. */
const pathOf = (link: string): string =>
  link
    .replace(/^(?:https?:\/\/[^#]*?\/(?=(?:docs|packages|examples)\/|SECURITY\.md)|(?:\.{1,2}\/)+)/, '')
    .replace(/^https?:\/\/[^/]+\/([^#]+)\.html(?=#|$)/, 'docs/$1.md')

const idOf = ({ path }: DocsPage, { anchors: [anchor], level }: Section): string =>
  anchor === undefined || level === 1 ? path : `${path}#${anchor}`

const wholeText = (sections: readonly Section[]): string => sections.map(({ text }) => text).join('')

/** Returns the section with an anchor, or the row of a table that has it. */
function partText({ path, sections }: DocsPage, anchor: string): string {
  const at = sections.findIndex(({ anchors }) => anchors.includes(anchor))
  const first = sections[at]
  if (first) {
    const end = sections.findIndex(({ level }, index) => index > at && level <= first.level)
    return wholeText(sections.slice(at, end < 0 ? undefined : end))
  }
  const row = wholeText(sections)
    .split('\n')
    .find((line) => line.includes(`<a id="${anchor}">`))
  if (row !== undefined) return row
  throw notFound(
    `${path} has no section "${anchor}"`,
    anchor,
    sections.flatMap(({ anchors }) => anchors),
  )
}

/** Returns where the text from `start` on has reached the size of a part, after a whole line if possible. */
function endOfPart(text: string, start: number): number {
  let end = Math.min(text.length, start + PART_MAX_CHARACTERS)
  while (safeJson(text.slice(start, end)).length > PART_MAX_CHARACTERS)
    end = start + Math.floor((end - start) * 0.9)
  const line = text.lastIndexOf('\n', end - 1)
  return end < text.length && line > start ? line + 1 : end
}

/** Returns the text of a section from the first line on that has the longest of the terms. */
function excerptOf({ text }: Section, terms: readonly string[]): string {
  const body = text.replace(/^#+ .*\n+/, '').replace(/<a id="[^"]*"><\/a>/g, '')
  const lower = body.toLowerCase()
  // The longest first: an identifier, before the words that it consists of.
  const term = terms.toSorted((one, other) => other.length - one.length).find((one) => lower.includes(one))
  const start = term === undefined ? 0 : body.lastIndexOf('\n', lower.indexOf(term)) + 1
  const excerpt = body
    .slice(start, start + EXCERPT_CHARACTERS)
    .trim()
    .replace(/\s+/g, ' ')
  return start + EXCERPT_CHARACTERS < body.length ? `${excerpt}…` : excerpt
}

const notFound = (message: string, name: string, known: readonly string[]): Failure =>
  toolFailure('not_found', message, suggestion(name, known, 'search with query first'))
