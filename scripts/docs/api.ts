import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Application, type ProjectReflection } from 'typedoc'
import type { PluginOptions } from 'typedoc-plugin-markdown'
import { type Manifest, manifestOf, PUBLISHED, root } from '../project/project.ts'
import type { Page } from './page.ts'
import { linkBetween } from './repository.ts'

const work = join(root, 'node_modules/.cache/formwire-docs')

/** What a program imports, such as `@formwire/sdk/undici`, and the source of it. */
interface EntryPoint {
  name: string
  file: string
}

interface Exporting {
  exports?: Record<string, string | { '@formwire/source'?: string }>
  publishConfig?: { exports?: Record<string, unknown> }
}

/** Returns the entry points with types of the published packages, in the order of their `exports`. */
function entryPoints(): EntryPoint[] {
  return PUBLISHED.flatMap((folder) => {
    const { name, exports = {}, publishConfig } = manifestOf(folder) as Manifest & Exporting
    return Object.entries(exports).flatMap(([subpath, target]) => {
      const source = typeof target === 'object' ? target['@formwire/source'] : undefined
      if (source === undefined || !(subpath in (publishConfig?.exports ?? {}))) return []
      return [{ name: name + subpath.slice(1), file: join(root, 'packages', folder, source) }]
    })
  })
}

/** Returns a page for each entry point, made from the docstrings, after one that lists them. */
export async function apiPages(): Promise<Page[]> {
  const entries = entryPoints()
  const output = join(work, 'api')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  // Only these files and what they import: TypeDoc would load every file of the repository's own configuration.
  const tsconfig = join(work, 'tsconfig.json')
  writeFileSync(
    tsconfig,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      files: entries.map(({ file }) => file),
      include: [],
    }),
  )
  const markdownOptions: Partial<PluginOptions> = {
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    sanitizeComments: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    propertyMembersFormat: 'table',
    typeDeclarationFormat: 'table',
    pageTitleTemplates: { module: '{name}' },
  }
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: entries.map(({ file }) => file),
    tsconfig,
    // `pnpm types` has checked them.
    skipErrorChecking: true,
    disableSources: true,
    excludeExternals: true,
    excludePrivate: true,
    readme: 'none',
    logLevel: 'Error',
    outputs: [{ name: 'markdown', path: output }],
    router: 'module',
    ...markdownOptions,
  })
  const project = await app.convert()
  if (!project) throw new Error('TypeDoc could not read the packages')
  nameModules(project, entries)
  await app.generateOutputs(project)
  const pages = entries.map(({ name }) => pageOf(name, output))
  return [indexOf(pages), ...pages]
}

/** Names each module as programs import it, instead of by its file. */
function nameModules(project: ProjectReflection, entries: readonly EntryPoint[]): void {
  for (const { name, file } of entries) {
    const own = relative(join(root, 'packages'), file).replace(/(?:\/index)?\.tsx?$/, '')
    const reflection = project.children?.find((child) => child.name === own)
    if (!reflection) throw new Error(`TypeDoc has no module for ${name} (${own})`)
    reflection.name = name
  }
}

function pageOf(name: string, output: string): Page {
  const file = name.replace('@formwire/', '')
  const path = `reference/api/${file}.md`
  const generated = readFileSync(join(output, `${name}.md`), 'utf8')
  const folder = file.split('/')[0] as string
  const page = linkBetween(path, `reference/packages/${folder}.md`)
  const introduction = `[\`@formwire/${folder}\`](${page}) describes the package, with examples.`
  const text = errorsLast(generated.replace(/^# .+\n/, (heading) => `${heading}\n${introduction}\n`))
  return {
    path,
    text,
    section: 'TypeScript API',
    source: null,
    title: name,
    shortTitle: file,
    description: '',
  }
}

/** Moves errors behind the other classes, which readers look for, and the class that every program creates to the front. */
function errorsLast(text: string): string {
  return text.replace(/(?<=^## Classes\n)[\s\S]*?(?=^## |(?![\s\S]))/m, (section) => {
    const [head = '', ...classes] = section.split(/^(?=### )/m)
    const rank = (one: string): number =>
      /^### Formwire$/m.test(one) ? 0 : /^### \w+Error$/m.test(one) ? 2 : 1
    const ordered = classes
      .map((one) => one.replace(/\n+(?:\*{3}\n+)?$/, ''))
      .sort((one, other) => rank(one) - rank(other))
    return `${head}${ordered.join('\n\n***\n\n')}\n\n`
  })
}

/** Returns the page that lists the entry points. */
function indexOf(pages: readonly Page[]): Page {
  const path = 'reference/api/index.md'
  const title = 'TypeScript API'
  const description = 'Everything that the packages export, generated from the comments in their sources.'
  const links = pages.map((page) => `- [\`${page.title}\`](${linkBetween(path, page.path)})`)
  const text = `# ${title}

${description} Start with the page of a package, such as [the SDK](${linkBetween(path, 'reference/packages/sdk.md')}), for a description with examples.

${links.join('\n')}
`
  return { path, text, section: title, source: null, title, description }
}
