import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { RULES } from '../conformance/rules.ts'
import { PUBLISHED, read, root } from '../project/project.ts'
import { headingSectionsOf, type Section, withoutComments } from './markdown.ts'

/** What the command line contains of the documentation, for programs that read it offline. */
export interface DocsBundle {
  pages: DocsPage[]
  rules: { id: string; statement: string }[]
}

/** A page for readers. */
export interface DocsPage {
  /** In the repository. */
  path: string
  title: string
  sections: Section[]
}

/** Pages below `docs/` that are for contributors. */
const LEFT_OUT = /^(?:\.|decisions\/0000)|^(?:architecture|explanation\/code-decisions)\.md$/

/** Returns the documentation of the repository. @param commands Pages about the commands, which are not in the repository */
export function docsBundle(commands: readonly { path: string; text: string }[]): DocsBundle {
  const paths = [
    ...filesBelow('docs')
      .filter((path) => path.endsWith('.md') && !LEFT_OUT.test(path))
      .map((path) => `docs/${path}`),
    ...PUBLISHED.map((name) => `packages/${name}/README.md`),
    'SECURITY.md',
  ]
  return {
    pages: [
      ...paths.map((path) => pageOf(path)),
      ...commands.map(({ path, text }) => pageOf(path, text)),
      ...receivers(),
    ],
    rules: RULES.map(({ id, statement }) => ({ id, statement })),
  }
}

function pageOf(path: string, text = read(path)): DocsPage {
  const sections = headingSectionsOf(withoutComments(text))
  return { path, title: sections.find(({ level }) => level === 1)?.title ?? path, sections }
}

/** Returns the receivers in other languages: their README, and each source as a page of one section. */
function receivers(): DocsPage[] {
  const folder = 'examples/receivers'
  const sources = filesBelow(folder).filter((path) => /^\w+\/receiver\.\w+$/.test(path))
  return [
    pageOf(`${folder}/README.md`),
    ...sources.map((name): DocsPage => {
      const path = `${folder}/${name}`
      const title = `Receiver: ${name}`
      return { path, title, sections: [{ anchors: [], title, level: 1, text: read(path) }] }
    }),
  ]
}

/** Returns the files below a folder by their paths there. */
const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(root, folder, '/').length))
    .sort()
