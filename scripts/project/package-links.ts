import { posix } from 'node:path'
import { anchorsOf, linksOf, namedPathsOf } from '../docs/markdown.ts'
import { COMMAND_PAGES, CONFORMANCE_PAGE } from '../docs/page.ts'
import type { Addresses } from './project.ts'

/** Files by path: those of a tarball, or those of the repository. */
export interface Files {
  /** Paths, with `/` and without `package/`. */
  readonly paths: ReadonlySet<string>
  read(path: string): string
}

/** What the links of a published page are compared with. */
interface Published {
  readonly addresses: Addresses
  readonly tarball: Files
  readonly repository: Files
}

/**
 * Returns what is wrong with the links of a Markdown page of a tarball. A relative link must lead to a file of the tarball, a link to the
 * repository to a file of the work tree, and a link to the documentation site to a page in `docs/`; anchors are checked too.
 */
export function brokenLinks(page: string, published: Published): string[] {
  const text = published.tarball.read(page)
  const problems = linksOf(text).flatMap(({ line, target }) => {
    const problem = problemOf(target, page, published)
    return problem === undefined ? [] : [`${page}:${line}: ${target}: ${problem}`]
  })
  const unlinked = namedPathsOf(text).flatMap(({ line, target }) =>
    contains(published.tarball, target)
      ? []
      : [`${page}:${line}: \`${target}\` is not in the package; link it to the repository`],
  )
  return [...problems, ...unlinked]
}

function problemOf(
  target: string,
  page: string,
  { addresses, tarball, repository }: Published,
): string | undefined {
  const [path, anchor] = target.split('#') as [string, string?]
  if (target.startsWith('mailto:')) return undefined
  if (!/^[a-z]+:/i.test(target)) {
    const file = path === '' ? page : posix.join(posix.dirname(page), decodeURIComponent(path))
    if (!contains(tarball, file)) return 'not in the package'
    return anchorProblem(tarball, file, anchor)
  }
  if (path === addresses.repository || path === addresses.bugs) return undefined
  if (path.startsWith(`${addresses.repository}/`)) {
    const [, kind, file] =
      /^\/(blob|tree)\/main\/(.+?)\/?$/.exec(path.slice(addresses.repository.length)) ?? []
    if (file === undefined) return 'not a link to a file of the repository'
    if (kind === 'blob' ? !repository.paths.has(file) : !containsFolder(repository, file))
      return `the repository has no such ${kind === 'blob' ? 'file' : 'folder'}`
    return anchorProblem(repository, file, anchor)
  }
  if (path.startsWith(`${addresses.homepage}/`)) {
    const name = path.slice(addresses.homepage.length + 1)
    const file = `docs/${/(?:^|\/)$/.test(name) ? `${name}index` : name.replace(/\.html$/, '')}.md`
    // The check of the built site knows their anchors.
    if (COMMAND_PAGES.test(file) || file === CONFORMANCE_PAGE) return undefined
    if (!repository.paths.has(file)) return `there is no ${file}`
    return anchorProblem(repository, file, anchor)
  }
  return path.startsWith('http:') ? 'not https' : undefined
}

function anchorProblem(files: Files, file: string, anchor: string | undefined): string | undefined {
  if (anchor === undefined || !file.endsWith('.md')) return undefined
  return anchorsOf(files.read(file)).has(anchor) ? undefined : `${file} has no anchor "${anchor}"`
}

const containsFolder = ({ paths }: Files, path: string): boolean =>
  [...paths].some((file) => file.startsWith(`${path}/`))

const contains = (files: Files, path: string): boolean => {
  const name = path.replace(/\/$/, '')
  return files.paths.has(name) || containsFolder(files, name)
}
