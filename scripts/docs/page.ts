/** A page that is made when the site is built, at the path that it would have in the repository. */
export const CONFORMANCE_PAGE = 'docs/conformance.md'

/** A page of the site. */
export interface Page {
  /** Path in the site, such as `tutorials/read-responses.md`. */
  path: string
  /** Markdown, with links relative to this page. */
  text: string
  /** Where the navigation shows it. Pages without a section are only linked from others. */
  section: SectionName | null
  /** File of the repository that it was made from, if links in it are relative to one. */
  source: string | null
  title: string
  /** One sentence for lists of pages. */
  description: string
  /** Title in the navigation, if it is not that of the page. */
  shortTitle?: string
}

/** The sections of the navigation, in their order. */
export const SECTIONS = [
  'Tutorials',
  'How-to',
  'Packages',
  'Reference',
  'HTTP API',
  'Control API',
  'TypeScript API',
  'Explanation',
  'Examples',
  'Project',
] as const

/** A section of the navigation. */
export type SectionName = (typeof SECTIONS)[number]
