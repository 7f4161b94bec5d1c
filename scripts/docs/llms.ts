import { type Page, SECTIONS, type SectionName } from './page.ts'

/** Sections that llms-full.txt leaves out: what is long, and what only contributors need. llms.txt links them. */
const LINKED_ONLY: ReadonlySet<SectionName> = new Set(['TypeScript API', 'Examples', 'Project'])

/** Returns llms.txt: a list of all pages with a section, as links to their Markdown. */
export function llmsText(summary: string, pages: readonly Page[]): string {
  const sections = SECTIONS.map((section) => {
    const lines = pages
      .filter((page) => page.section === section)
      .map(({ path, title, description }) => `- [${title}](${path})${description ? `: ${description}` : ''}`)
    if (lines.length === 0) return ''
    const whole = LINKED_ONLY.has(section)
      ? ''
      : `The text of these pages: [${fileOf(section)}](${fileOf(section)})\n\n`
    return `## ${section}\n\n${whole}${lines.join('\n')}\n`
  })
  return ['# Formwire\n', `> ${summary}\n`, ...sections.filter(Boolean)].join('\n')
}

const fileOf = (section: SectionName): string => `llms-${section.toLowerCase().replace(' ', '-')}.txt`

/** Returns llms-full.txt: the text of the pages, each after its path. */
export function llmsFullText(pages: readonly Page[]): string {
  return llmsSectionTexts(pages)
    .map(([, text]) => text)
    .join('\n')
}

/** Returns the parts of llms-full.txt, one per section, for programs that cannot read it in one piece. */
export function llmsSectionTexts(pages: readonly Page[]): [file: string, text: string][] {
  return SECTIONS.filter((section) => !LINKED_ONLY.has(section)).flatMap((section) => {
    const shown = pages.filter((page) => page.section === section)
    const text = shown.map((page) => `<!-- ${page.path} -->\n\n${page.text.trim()}\n`).join('\n')
    return shown.length === 0 ? [] : [[fileOf(section), text]]
  })
}
