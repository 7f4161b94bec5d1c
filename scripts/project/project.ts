import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../../', import.meta.url))

/** Addresses of the project. Placeholders until somebody publishes it: `.example` never resolves. */
export interface Addresses {
  /** Root of the documentation site, without a slash at the end. */
  readonly homepage: string
  /** Root of the repository's web pages, without a slash at the end. */
  readonly repository: string
  readonly bugs: string
  /** Mail address for reports of vulnerabilities. */
  readonly security: string
}

/** A `package.json`, as far as the scripts read it. */
export interface Manifest {
  name: string
  private?: boolean
  homepage?: string
  repository?: { type: string; url: string; directory?: string }
  bugs?: { url: string; email?: string }
  files?: readonly string[]
  [field: string]: unknown
}

/** Returns a text file of the repository. */
export const read = (path: string): string => readFileSync(root + path, 'utf8')
const readJson = (path: string): unknown => JSON.parse(read(path))

/** Where `pnpm conformance` writes the matrix of rules, for the site. */
export const MATRIX = `${root}docs/.vitepress/conformance.md`

/** Returns the addresses in a manifest. @throws Error if it has none */
function addressesOf({ name, homepage, repository, bugs }: Manifest): Addresses {
  if (homepage === undefined || repository === undefined || bugs?.email === undefined)
    throw new Error(`the package.json of ${name} must have homepage, repository and bugs`)
  const url = repository.url.replace(/^git\+|\.git$/g, '')
  return { homepage, repository: url, bugs: bugs.url, security: bugs.email }
}

/** The addresses, of which the `package.json` of the repository is the one place. */
export const PROJECT: Addresses = addressesOf(readJson('package.json') as Manifest)

/** Returns the `package.json` of a package by its folder. */
export const manifestOf = (folder: string): Manifest =>
  readJson(`packages/${folder}/package.json`) as Manifest

/** Folders below `packages/` that are published. */
export const PUBLISHED: readonly string[] = readdirSync(`${root}packages`)
  .sort()
  .filter((folder) => !manifestOf(folder).private)

/** Returns the fields of the `package.json` of a package that come from that of the repository. */
export const fieldsOf = (
  folder: string,
  { homepage, repository, bugs, security } = PROJECT,
): Partial<Manifest> => ({
  homepage,
  repository: { type: 'git', url: `git+${repository}.git`, directory: `packages/${folder}` },
  bugs: { url: bugs, email: security },
})
