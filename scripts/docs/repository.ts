import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { RULES } from '../conformance/rules.ts'
import { PROJECT, PUBLISHED, root } from '../project/project.ts'
import { mapLinks, mapProse, summaryOf, withBlockAfter, withoutComments } from './markdown.ts'
import type { Page, SectionName } from './page.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Sections of pages that are not in a folder of one section. */
const SECTION_OF: Readonly<Record<string, SectionName>> = {
  'docs/architecture.md': 'Explanation',
  'docs/mutation.md': 'Project',
  'bench/README.md': 'Explanation',
  'AGENTS.md': 'Project',
  'CONTRIBUTING.md': 'Project',
  'SECURITY.md': 'Project',
  'CHANGELOG.md': 'Project',
  'CODE_OF_CONDUCT.md': 'Project',
}

const SECTION_OF_FOLDER: Readonly<Record<string, SectionName>> = {
  'docs/tutorials': 'Tutorials',
  'docs/how-to': 'How-to',
  'docs/explanation': 'Explanation',
  docs: 'Reference',
}

/** The order of pages that are best read in one; the others follow by title. */
const FIRST: readonly string[] = [
  'docs/tutorials/test-in-ci.md',
  'docs/tutorials/any-language.md',
  'docs/tutorials/reproduce-a-bug.md',
  'docs/tutorials/read-responses.md',
  'docs/tutorials/receive-webhooks.md',
  'docs/tutorials/rehearse-a-receiver-typescript.md',
  'docs/tutorials/rehearse-a-receiver-python.md',
  'docs/tutorials/keep-a-database.md',
  'docs/tutorials/work-in-a-terminal.md',
  'docs/tutorials/generate-a-client.md',
  'docs/explanation/webhook-delivery.md',
  'docs/explanation/polling.md',
  'docs/explanation/comparison.md',
]

/** Pages at an earlier address, which link to the new one. */
const MOVED: ReadonlySet<string> = new Set(['docs/any-language.md'])

/** Returns the path in the site of a file or folder of the repository that has a page. */
export function sitePathOf(path: string): string | undefined {
  if (path === 'README.md') return 'index.md'
  // Shown as pages that link to the document.
  if (path === 'packages/contract/openapi.json') return 'reference/http-api/index.md'
  if (path === 'packages/contract/control.openapi.json') return 'reference/control-api/index.md'
  if (path === 'docs/decisions' || path === 'examples') return `${basename(path)}/index.md`
  const example = /^examples\/([^/]+)(?:\/README\.md)?$/.exec(path)?.[1]
  if (example && existsSync(join(root, 'examples', example, 'README.md'))) return `examples/${example}.md`
  const library = /^packages\/([^/]+)(?:\/README\.md)?$/.exec(path)?.[1]
  if (library && PUBLISHED.includes(library)) return `reference/packages/${library}.md`
  if (path === 'bench' || path === 'bench/README.md') return 'explanation/benchmarks.md'
  if (/^[A-Z_]+\.md$/.test(path)) return `project/${path.toLowerCase().replaceAll('_', '-')}`
  return /^docs\/(?!\.)(.*\.md)$/.exec(path)?.[1]
}

/** Returns the pages made from Markdown of the repository, with the sources that they link to. */
export function repositoryPages(): { pages: Page[]; assets: string[] } {
  const markdown = [
    ...filesBelow('docs').filter((file) => file.endsWith('.md')),
    ...PUBLISHED.map((name) => `packages/${name}/README.md`),
    'bench/README.md',
    ...readdirSync(root).filter((name) => /^[A-Z_]+\.md$/.test(name) && name !== 'README.md'),
  ]
  const documents = markdown.map((path) => ({ path, text: read(path) }))
  const examples = readdirSync(join(root, 'examples'))
    .filter((name) => existsSync(join(root, 'examples', name, 'README.md')))
    .map((name) => ({ path: `examples/${name}/README.md`, text: exampleText(name) }))
  const linked = new Linked()
  const pages = [...documents, ...examples].map(({ path, text }) =>
    pageOf(path, linked.resolve(path, sitePathOf(path) as string, withoutComments(text))),
  )
  pages.push(
    decisionIndex(pages),
    exampleIndex(pages),
    ...OVERVIEWS.map(overviewOf(pages)),
    ...linked.sourcePages(),
  )
  return { pages: pages.sort(byOrder), assets: [...linked.assets] }
}

/** Returns the files below a folder, without hidden ones and installed packages. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !/^(?:\.|node_modules$|__pycache__$|generated$)/.test(name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
    )
}

function pageOf(source: string, text: string): Page {
  const path = sitePathOf(source) as string
  const { title, sentence } = summaryOf(text.replace(/^---\n[\s\S]*?\n---\n/, ''), source)
  return {
    path,
    source,
    text: withInstallNote(withRuleLinks(text, path), path),
    section: sectionOf(source),
    title,
    description: sentence,
  }
}

const INSTALL = /npm install\b[^\n]*@formwire\/|npx [^\n]*--package @formwire\//

/** Adds a note to the first install command of a page, until the packages are on npm. */
export function withInstallNote(text: string, path: string): string {
  const target = `${linkBetween(path, 'index.md')}#until-the-packages-are-on-npm`
  if (!INSTALL.test(text) || path === 'index.md' || path.startsWith('project/') || text.includes(target))
    return text
  const note = `> [!NOTE]\n> The packages are not on npm yet: [install them from a clone](${target}).`
  return withBlockAfter(text, INSTALL, note)
}

function sectionOf(source: string): SectionName | null {
  if (SECTION_OF[source]) return SECTION_OF[source]
  if (source === 'docs/index.md' || source.startsWith('docs/decisions/') || MOVED.has(source)) return null
  if (source.startsWith('packages/')) return 'Packages'
  if (source.startsWith('examples/')) return 'Examples'
  return SECTION_OF_FOLDER[dirname(source)] ?? 'Reference'
}

function byOrder(one: Page, other: Page): number {
  const rank = ({ source }: Page): number => {
    const at = FIRST.indexOf(source ?? '')
    return at < 0 ? FIRST.length : at
  }
  return rank(one) - rank(other) || one.title.localeCompare(other.title, 'en')
}

/** Returns a link from one page to another path of the site. */
export function linkBetween(from: string, to: string): string {
  const [here, there] = [dirname(from).split('/'), to.split('/')]
  if (here[0] === '.') here.shift()
  while (here.length > 0 && here[0] === there[0] && there.length > 1) {
    here.shift()
    there.shift()
  }
  return `${here.length > 0 ? '../'.repeat(here.length) : './'}${there.join('/')}`
}

const RULE_IDS: ReadonlySet<string> = new Set(RULES.map(({ id }) => id))

/** The page with an anchor for each rule. */
export const RULE_PAGE = 'reference/rules.md'

/** Links the ids of rules, such as DLV-06, to the page that explains them. */
export function withRuleLinks(text: string, path: string): string {
  if (path === RULE_PAGE) return text
  const target = linkBetween(path, RULE_PAGE)
  return mapProse(text, (prose) =>
    prose.replace(/\b[A-Z]+-\d\d\b/g, (found) =>
      RULE_IDS.has(found) ? `[${found}](${target}#${found.toLowerCase()})` : found,
    ),
  )
}

/** A link of a published README to a file of the repository. */
const REPOSITORY_LINK = new RegExp(
  `^${PROJECT.repository.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/(?:blob|tree)/main/(.+)$`,
)

/** Data that a link downloads; other files are shown as pages. */
const DOWNLOADS = new Set(['.json', '.png', '.svg'])

/** Turns links to files of the repository into links within the site, and collects what they need. */
class Linked {
  readonly assets = new Set<string>()
  readonly #sources = new Set<string>()

  /** @throws Error for a link to a file that does not exist */
  resolve(source: string, path: string, markdown: string): string {
    return mapLinks(markdown, ({ target }) => {
      const published = REPOSITORY_LINK.exec(target)?.[1]
      if (published === undefined && /^(?:[a-z]+:|#)/.test(target)) return target
      const [file = '', hash] = (published ?? target).split('#')
      const linked = (published === undefined ? join(dirname(source), file) : file).replace(/\/$/, '')
      if (!existsSync(join(root, linked)))
        throw new Error(`${source} links to "${target}", which does not exist`)
      const to = this.#pathOf(linked)
      return to === null ? null : linkBetween(path, to) + (hash === undefined ? '' : `#${hash}`)
    })
  }

  #pathOf(file: string): string | null {
    const page = sitePathOf(file)
    if (page !== undefined) return page
    if (statSync(join(root, file)).isDirectory()) return null
    if (DOWNLOADS.has(extname(file))) {
      this.assets.add(file)
      return assetPath(file)
    }
    this.#sources.add(file)
    return sourcePath(file)
  }

  /** The pages that show linked files. */
  sourcePages(): Page[] {
    return [...this.#sources].map((file) => ({
      path: sourcePath(file),
      text: `# ${basename(file)}\n\n\`${file}\` in the repository:\n\n${fenced(file)}\n`,
      section: null,
      source: null,
      title: basename(file),
      description: '',
    }))
  }
}

/** VitePress leaves out files and folders that begin with a dot. */
const sourcePath = (file: string): string => `source/${file.replace(/(^|\/)\./g, '$1')}.md`

/** Returns the path in the site of an image or a data file. */
export const assetPath = (file: string): string =>
  file.startsWith('docs/') ? file.slice('docs/'.length) : `files/${file}`

const LANGUAGES: Readonly<Record<string, string>> = { Dockerfile: 'dockerfile', 'go.mod': 'go' }

/** Files that are shown. Their extensions are names of their languages, too. */
const SHOWN = /\.(?:[cm]?js|ts|py|go|mod|rb|php|ya?ml|json|sh)$/

function fenced(file: string): string {
  const extension = SHOWN.exec(file)?.[0].slice(1) ?? 'text'
  const language = LANGUAGES[basename(file)] ?? extension
  return `\`\`\`\`${language}\n${read(file).trimEnd()}\n\`\`\`\``
}

/** Returns the README of an example, followed by its files. */
function exampleText(name: string): string {
  const folder = `examples/${name}`
  const files = filesBelow(folder)
    .filter((file) => SHOWN.test(file) && basename(file) !== 'package.json')
    .sort()
  const note = `## Files\n\nCommands with \`pnpm\` or \`vitest\` run in a clone of the repository, in which these files are in \`${folder}\`.\n`
  const sections = files.map((file) => `### ${file.slice(folder.length + 1)}\n\n${fenced(file)}\n`)
  return [read(`${folder}/README.md`), note, ...sections].join('\n')
}

function index(
  path: string,
  title: string,
  text: string,
  pages: readonly Page[],
  section: SectionName | null,
): Page {
  const items = pages.map((page) => `- [${page.title}](${linkBetween(path, page.path)})`)
  return {
    path,
    text: `# ${title}\n\n${text}\n\n${items.join('\n')}\n`,
    section,
    source: null,
    title,
    description: text,
  }
}

function decisionIndex(pages: readonly Page[]): Page {
  const decisions = pages
    .filter(({ path }) => /^decisions\/(?!0000)/.test(path))
    .sort((one, other) => one.path.localeCompare(other.path))
  return index(
    'decisions/index.md',
    'Unspecified behaviour',
    'What the service document leaves open, the default that the reference server has, and the other values that clients must handle.',
    decisions,
    'Reference',
  )
}

function exampleIndex(pages: readonly Page[]): Page {
  const examples = pages.filter(({ path }) => path.startsWith('examples/'))
  return index(
    'examples/index.md',
    'All examples',
    'Each example also runs as a test.',
    examples.sort(byOrder),
    'Examples',
  )
}

/** Pages that only the navigation at the top links to. */
const OVERVIEWS: readonly (readonly [section: SectionName, path: string, text: string])[] = [
  ['Tutorials', 'tutorials/index.md', 'From nothing to a result, one step at a time.'],
  ['How-to', 'how-to/index.md', 'Each page shows how to do one task.'],
  ['Packages', 'reference/packages/index.md', 'What each package is for, and how to use it.'],
]

const overviewOf =
  (pages: readonly Page[]) =>
  ([section, path, text]: (typeof OVERVIEWS)[number]): Page =>
    index(path, section, text, pages.filter((page) => page.section === section).sort(byOrder), null)
