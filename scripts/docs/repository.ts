import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { PROJECT, PUBLISHED, read, root } from '../project/project.ts'
import { mapLinks, summaryOf, withoutComments } from './markdown.ts'
import type { Page, SectionName } from './page.ts'

/** Sections of pages that are not in a folder of one section. */
const SECTION_OF: Readonly<Record<string, SectionName>> = {
  'docs/architecture.md': 'Explanation',
  'bench/README.md': 'Explanation',
  'AGENTS.md': 'Project',
  'CONTRIBUTING.md': 'Project',
  'SECURITY.md': 'Project',
  'CHANGELOG.md': 'Project',
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
  'docs/tutorials/rehearse-a-receiver.md',
  'docs/tutorials/keep-a-database.md',
  'docs/tutorials/work-in-a-terminal.md',
  'docs/tutorials/generate-a-client.md',
  'docs/explanation/webhook-delivery.md',
  'docs/explanation/polling.md',
  'docs/explanation/comparison.md',
]

/** How-to pages by the job that a reader has. */
const JOBS: Readonly<Record<string, readonly string[]>> = {
  Test: ['install', 'test-kit', 'test-environments', 'rehearse', 'fixtures-from-production'],
  Receive: ['frameworks', 'dedupe', 'signature-mismatch', 'rotate-secret', 'inbox-on-postgres'],
  'Read and sync': ['sql', 'warehouse', 'outbox', 'several-processes', 'fleet'],
  Operate: ['watch-a-sync', 'troubleshooting', 'proxies-and-cas', 'personal-data'],
  Agents: ['agents'],
}

/** Returns the how-to pages of a job. @throws Error for a how-to page without one */
export function pagesOfJobs(pages: readonly Page[]): { job: string; pages: Page[] }[] {
  const found = new Map(pages.filter(({ section }) => section === 'How-to').map((page) => [page.path, page]))
  const jobs = Object.entries(JOBS).map(([job, names]) => ({
    job,
    pages: names.map((name) => {
      const path = `how-to/${name}.md`
      const page = found.get(path)
      if (!page) throw new Error(`there is no ${path}, which the job "${job}" names`)
      found.delete(path)
      return page
    }),
  }))
  if (found.size > 0) throw new Error(`no job names ${[...found.keys()].join(', ')}`)
  return jobs
}

/** Returns the path in the site of a file or folder of the repository that has a page. */
function sitePathOf(path: string): string | undefined {
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

/** Markdown at the path that it has, or would have, in the repository. */
export interface Source {
  path: string
  text: string
}

/** Returns the pages made from Markdown of the repository and from `generated` texts, with the files that they need. */
export function repositoryPages(generated: readonly Source[]): { pages: Page[]; assets: string[] } {
  const markdown = [
    ...filesBelow('docs').filter((file) => file.endsWith('.md')),
    ...PUBLISHED.map((name) => `packages/${name}/README.md`),
    'bench/README.md',
    ...readdirSync(root).filter((name) => /^[A-Z_]+\.md$/.test(name) && name !== 'README.md'),
  ]
  const documents = markdown.map((path): Source => ({ path, text: read(path) }))
  const examples = readdirSync(join(root, 'examples'))
    .filter((name) => existsSync(join(root, 'examples', name, 'README.md')))
    .map((name): Source => ({ path: `examples/${name}/README.md`, text: read(`examples/${name}/README.md`) }))
  const assets = new Set<string>()
  const pages = [...documents, ...generated, ...examples].map(({ path, text }) =>
    pageOf(path, withSiteLinks(path, withoutComments(text), assets) + filesOfExample(path)),
  )
  pages.push(decisionIndex(pages), exampleIndex(pages), ...overviews(pages))
  return { pages: pages.sort(byOrder), assets: [...assets] }
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
    text,
    section: sectionOf(source),
    title,
    description: sentence,
  }
}

function sectionOf(source: string): SectionName | null {
  if (SECTION_OF[source]) return SECTION_OF[source]
  if (source === 'docs/index.md' || source.startsWith('docs/decisions/')) return null
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

const startingWith = (address: string, rest: string): RegExp =>
  new RegExp(`^${address.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}${rest}`)

/** A link of a published README to a file of the repository. */
const REPOSITORY_LINK = startingWith(PROJECT.repository, '/(?:blob|tree)/main/(.+)$')
/** A link to a page of the site, which a page that is not in the repository needs. */
const SITE_LINK = startingWith(PROJECT.homepage, '/(.+)\\.html(#.*)?$')

/** Data that a link downloads. */
const DOWNLOADS = new Set(['.json', '.png', '.svg'])

/**
 * Turns links to files that have a page, or that the site contains, into links within the site, and others into links to the repository.
 *
 * @param assets Files that the site has to contain are added to it.
 * @throws Error for a link to a file that does not exist
 */
function withSiteLinks(source: string, markdown: string, assets: Set<string>): string {
  const from = sitePathOf(source) as string
  return mapLinks(markdown, ({ target }) => {
    const [, page, place = ''] = SITE_LINK.exec(target) ?? []
    if (page !== undefined) return linkBetween(from, `${page}.md`) + place
    const published = REPOSITORY_LINK.exec(target)?.[1]
    if (published === undefined && /^(?:[a-z]+:|#)/.test(target)) return target
    const [path = '', hash] = (published ?? target).split('#')
    const file = (published === undefined ? join(dirname(source), path) : path).replace(/\/$/, '')
    if (!existsSync(join(root, file))) throw new Error(`${source} links to "${target}", which does not exist`)
    const isPage = sitePathOf(file) !== undefined
    if (!(isPage || DOWNLOADS.has(extname(file)))) return repositoryLink(file)
    if (!isPage) assets.add(file)
    return linkBetween(from, sitePathOf(file) ?? assetPath(file)) + (hash === undefined ? '' : `#${hash}`)
  })
}

function repositoryLink(file: string): string {
  const kind = statSync(join(root, file)).isDirectory() ? 'tree' : 'blob'
  return `${PROJECT.repository}/${kind}/main/${file}`
}

/** Returns the path in the site of an image or a data file. */
export const assetPath = (file: string): string =>
  file.startsWith('docs/') ? file.slice('docs/'.length) : `files/${file}`

/** Returns where the files of an example are, for the end of its page. */
function filesOfExample(path: string): string {
  const folder = dirname(path)
  if (!folder.startsWith('examples/')) return ''
  return `
## Files

The files are in [\`${folder}\`](${repositoryLink(folder)}) of the repository. Commands with \`pnpm\` or \`vitest\` run in a clone of it.
`
}

/** Returns a list of links to pages; with what each is about where readers choose by it. */
function linksTo(pages: readonly Page[], path: string, withText = false): string {
  const items = pages.map(({ title, path: to, description }) => {
    const text = withText && description !== '' ? `\\\n  ${description}` : ''
    return `- [${title}](${linkBetween(path, to)})${text}`
  })
  return items.join('\n')
}

function index(path: string, title: string, text: string, list: string, section: SectionName | null): Page {
  return {
    path,
    text: `# ${title}\n\n${text}\n\n${list}\n`,
    section,
    source: null,
    title,
    description: text,
  }
}

function decisionIndex(pages: readonly Page[]): Page {
  const path = 'decisions/index.md'
  const decisions = pages
    .filter((page) => /^decisions\/(?!0000)/.test(page.path))
    .sort((one, other) => one.path.localeCompare(other.path))
  const text =
    'What the service document leaves open, the default that the reference server has, and the other values that clients must handle.'
  return index(path, 'Unspecified behaviour', text, linksTo(decisions, path), 'Reference')
}

function exampleIndex(pages: readonly Page[]): Page {
  const path = 'examples/index.md'
  const examples = pages.filter((page) => page.path.startsWith('examples/')).sort(byOrder)
  return index(path, 'All examples', 'Each example also runs as a test.', linksTo(examples, path), 'Examples')
}

/** Pages that the headings of the navigation link to. */
export const OVERVIEWS = {
  Tutorials: ['tutorials/index.md', 'Step-by-step guides.'],
  'How-to': ['how-to/index.md', 'Each page shows how to do one task.'],
  Packages: ['reference/packages/index.md', 'What each package is for, and how to use it.'],
} as const

function overviews(pages: readonly Page[]): Page[] {
  return Object.entries(OVERVIEWS).map(([section, [path, text]]) => {
    const list =
      section === 'How-to'
        ? pagesOfJobs(pages).map((job) => `## ${job.job}\n\n${linksTo(job.pages, path, true)}`)
        : [linksTo(pages.filter((page) => page.section === section).sort(byOrder), path, true)]
    return index(path, section, text, list.join('\n\n'), null)
  })
}
