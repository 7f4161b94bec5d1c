/**
 * Builds the documentation site into docs/.vitepress/dist: the Markdown of this repository, the commands, the tests of each rule, the API
 * reference from the docstrings and the OpenAPI documents, each page also as Markdown, and llms.txt. Fails on a link that leads nowhere.
 * FORMWIRE_DOCS_BASE is the path under which the site is served. @default `/`
 */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vitepress'
import { commandPages } from '../packages/cli/scripts/command-reference.ts'
import { apiPages } from './docs/api.ts'
import { brokenLinks } from './docs/check-links.ts'
import { llmsFullText, llmsText } from './docs/llms.ts'
import { mapLinks } from './docs/markdown.ts'
import { CONTROL_API, HTTP_API, openApiPages } from './docs/openapi.ts'
import { CONFORMANCE_PAGE, type Page, SECTIONS } from './docs/page.ts'
import { assetPath, OVERVIEWS, pagesOfJobs, repositoryPages } from './docs/repository.ts'
import { MATRIX, root } from './project/project.ts'

const SUMMARY =
  'A toolkit for teams that integrate with a forms service through its REST API and webhooks: a reference server for tests, ' +
  'a typed client, a database sync, webhook verification, and a command-line tool.'

const staged = join(root, 'docs/.vitepress/pages')
const built = join(root, 'docs/.vitepress/dist')
const base = process.env.FORMWIRE_DOCS_BASE ?? '/'

const started = performance.now()
const elapsed = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Images are served from the root: VitePress would otherwise bundle them, and the Markdown pages link to them too. */
const withRootedImages = ({ text, path }: Page): string =>
  mapLinks(text, ({ target, isImage }) =>
    isImage && target.startsWith('.') ? join('/', dirname(path), target) : target,
  )

/** A page as VitePress reads it. */
function stagedText(page: Page): string {
  const { title, description, section } = page
  const isHome = page.path === 'index.md'
  const matter = {
    title,
    ...(description ? { description } : {}),
    ...(isHome ? { layout: 'home' } : {}),
    ...(section === null && !isHome ? { search: false } : {}),
    // Its pages of operations have the code there.
    ...(section === HTTP_API.title || section === CONTROL_API.title
      ? { aside: false, pageClass: 'operations' }
      : {}),
  }
  return `---\n${JSON.stringify(matter)}\n---\n\n${withRootedImages(page)}`
}

const matrix = promisify(execFile)(
  join(root, 'node_modules/.bin/tsx'),
  ['--conditions=@formwire/source', join(root, 'scripts/conformance.ts'), '--check'],
  { cwd: root },
)
const api = await apiPages()
console.log(`${api.length} pages of the TypeScript API after ${elapsed()}`)
console.log((await matrix).stdout.trim())
const { pages: own, assets } = repositoryPages([
  ...commandPages(),
  { path: CONFORMANCE_PAGE, text: readFileSync(MATRIX, 'utf8') },
])
const specifications = [HTTP_API, CONTROL_API].flatMap(openApiPages)
const pages = [...own, ...specifications, ...api]

rmSync(staged, { recursive: true, force: true })
for (const page of pages) write(join(staged, page.path), stagedText(page))
const files = new Set([...assets, HTTP_API.file, CONTROL_API.file])
for (const file of files) {
  const copy = join(staged, 'public', assetPath(file))
  mkdirSync(dirname(copy), { recursive: true })
  copyFileSync(join(root, file), copy)
}
const linkTo = (path: string): string =>
  `/${path.slice(0, -extname(path).length).replace(/(?:^|(?<=\/))index$/, '')}`
const itemsOf = (some: readonly Page[]) =>
  some.map(({ title, shortTitle = title, path }) => ({ text: shortTitle, link: linkTo(path) }))
const navigation = SECTIONS.map((section) => {
  const overview = OVERVIEWS[section as keyof typeof OVERVIEWS]?.[0]
  const items =
    section === 'How-to'
      ? pagesOfJobs(pages).map((job) => ({ text: job.job, items: itemsOf(job.pages) }))
      : itemsOf(pages.filter((page) => page.section === section))
  return { text: section, items, ...(overview === undefined ? {} : { link: linkTo(overview) }) }
})
write(join(staged, 'navigation.json'), JSON.stringify(navigation.filter(({ items }) => items.length > 0)))

await build(join(root, 'docs'), { base })

for (const page of pages) write(join(built, page.path), page.text)
write(join(built, 'llms.txt'), llmsText(SUMMARY, pages))
write(join(built, 'llms-full.txt'), llmsFullText(pages))

const problems = brokenLinks(built, base)
for (const problem of problems) console.error(problem)
const size = readFileSync(join(built, 'llms-full.txt')).length
const memory = `${Math.round(process.resourceUsage().maxRSS / 1000)} MB`
console.log(
  `${pages.length} pages in docs/.vitepress/dist, ${problems.length} broken links, llms-full.txt of ${Math.round(size / 1000)} kB, after ${elapsed()} with ${memory}`,
)
console.log('To look at them: npx vitepress preview docs')
if (problems.length > 0) process.exitCode = 1
