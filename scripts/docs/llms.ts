import { type Page, SECTIONS, type SectionName } from './page.ts'

/** Sections that llms-full.txt leaves out: what is long, and what only contributors need. llms.txt links them. */
const LINKED_ONLY: ReadonlySet<SectionName> = new Set(['TypeScript API', 'Examples', 'Project'])

/** Returns llms.txt: a list of all pages with a section, as links to their Markdown. */
export function llmsText(summary: string, pages: readonly Page[]): string {
  const sections = SECTIONS.map((section) => {
    const lines = pages
      .filter((page) => page.section === section)
      .map(({ path, title, description }) => `- [${title}](${path})${description ? `: ${description}` : ''}`)
    return lines.length === 0 ? '' : `## ${section}\n\n${lines.join('\n')}\n`
  })
  return ['# Formwire\n', `> ${summary}\n`, ...sections.filter(Boolean)].join('\n')
}

/** Returns llms-full.txt: the text of the pages, each after its path. */
export function llmsFullText(pages: readonly Page[]): string {
  const shown = SECTIONS.filter((section) => !LINKED_ONLY.has(section)).flatMap((section) =>
    pages.filter((page) => page.section === section),
  )
  return shown.map((page) => `<!-- ${page.path} -->\n\n${page.text.trim()}\n`).join('\n')
}
