import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { blocksOf } from '../../scripts/docs/markdown.ts'
import { HTTP_API, openApiPages } from '../../scripts/docs/openapi.ts'
import { stepsOf } from '../../scripts/tutorials/steps.ts'
import { TEST_TIMEOUT_MS } from '../support/patience.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { type CompilerError, typeErrors, writeProject } from '../support/type-errors.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The examples of the reference server's README in order. */
const serverExamples = [
  ...readFileSync(`${root}packages/reference-server/README.md`, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g),
].map(([, code]) => code as string)

const serverFileOf = (index: number): string => `reference-server/example-${index}.ts`
const WRONG_FILE = 'wrong-example.ts'
const GENERATED = `export type { components, paths } from '${root}packages/reference-server/test/testing/generated/openapi.ts'\n`

/** An example of a page: TypeScript is compiled by itself, JavaScript as the file that the page has its reader save. */
interface DocExample {
  page: string
  file: string
  code: string
}

/** Its own test contains each of its examples. */
const COMPILED_ELSEWHERE = 'docs/how-to/test-kit.md'

/** An example, and the HTML comment right before it. */
const TYPED = /(?:<!--\s*((?:(?!-->)[\s\S])*?)\s*-->\s*)?^```ts[^\n]*\n([\s\S]*?)^```/gm

/**
 * Returns the examples of docs/ and of the contract's README; those of the other packages run in their own tests. A comment before one
 * that begins with `declare` or `import` has what it assumes; one that begins with `not compiled:` says why it is left out.
 */
function docExamples(): DocExample[] {
  const pages = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
    .map((name) => `docs/${name}`)
    .filter((page) => page !== COMPILED_ELSEWHERE)
  return ['README.md', ...pages, 'packages/contract/README.md'].flatMap((page) => {
    const text = readFileSync(root + page, 'utf8')
    const folder = page.replace(/\W/g, '-')
    const typed = [...text.matchAll(TYPED)].flatMap(([, comment = '', code], index) =>
      comment.startsWith('not compiled:')
        ? []
        : {
            page,
            file: `${folder}/example-${index}.ts`,
            code: `${/^(?:declare|import)\b/.test(comment) ? comment : ''}\n${code}\nexport {}\n`,
          },
    )
    const isTutorial = (page.startsWith('docs/tutorials/') || page === 'README.md') && /^```js/m.test(text)
    const saved = isTutorial ? stepsOf(text).filter((step) => step.kind === 'file') : []
    return [...typed, ...saved.map(({ name, code }) => ({ page, file: `${folder}/${name}`, code }))]
  })
}

/** The examples of the HTTP reference. */
const fromReference: DocExample[] = openApiPages(HTTP_API).flatMap(({ path, text }) =>
  blocksOf(text)
    .filter(({ language }) => language === 'ts')
    .map(({ code }, index) => ({
      page: path,
      file: `${path.replace(/\W/g, '-')}/example-${index}.ts`,
      code,
    })),
)

const fromPages = docExamples()
const fromDocs = [...fromPages, ...fromReference]

/** A parameter, variable or member without a type: JavaScript has no other. */
const UNTYPED: ReadonlySet<number> = new Set([7005, 7006, 7031, 7034])

/** The code that an example imports from another one of its page, which the reader saves as a file. */
const importedByOthers = fromPages.flatMap(({ page, file, code }) =>
  blocksOf(readFileSync(root + page, 'utf8')).flatMap((block) =>
    block.name !== undefined && code.includes(`'./${block.name}'`)
      ? [[`${dirname(file)}/${block.name}`, block.code] as const]
      : [],
  ),
)

/** Every example as a file, each an ES module. */
const files: Record<string, string> = Object.fromEntries([
  ...serverExamples.map((code, index) => [serverFileOf(index), `${code}\nexport {}\n`] as const),
  ...importedByOthers,
  ...fromDocs.map(({ file, code }) => [file, code] as const),
  // What openapi-typescript writes in docs/tutorials/generate-a-client.md.
  ...fromDocs
    .filter(({ code }) => code.includes('./formwire.d.ts'))
    .map(({ file }) => [`${dirname(file)}/formwire.d.ts`, GENERATED] as const),
  [WRONG_FILE, "import { Formwire } from '@formwire/sdk'\nnew Formwire().forms.all()\n"],
])

/** Where an example finds what it imports: the first folder that has a package. */
const MODULES = ['.', 'packages/cli', 'packages/reference-server']

/** Links the packages of these folders into one `node_modules`. */
function linkModules(directory: string): void {
  const links = new Map<string, string>()
  for (const folder of MODULES) {
    const modules = join(root, folder, 'node_modules')
    const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
    const packages = names.flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((own) => join(name, own)) : name,
    )
    for (const name of packages) if (!links.has(name)) links.set(name, join(modules, name))
  }
  for (const [name, target] of links) {
    const link = join(directory, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link)
  }
}

/** The errors in all examples, of one compilation: most of its time goes into what they import. */
let errors: CompilerError[]
beforeAll(async () => {
  const { compilerOptions } = JSON.parse(readFileSync(`${root}tsconfig.base.json`, 'utf8'))
  const directory = temporaryDirectory()
  linkModules(directory)
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
  writeProject(directory, { ...compilerOptions, allowJs: true, checkJs: true }, files)
  errors = await typeErrors(directory)
  // It takes seconds, and minutes on a machine that is busy otherwise.
}, 5 * TEST_TIMEOUT_MS)

/** Returns the compiler's messages for an example, under the repository's settings. */
const errorsIn = (example: string): string[] =>
  errors
    .filter(({ file, code }) => file === example && (file.endsWith('.ts') || !UNTYPED.has(code)))
    .map(({ message }) => message)

describe('docs', () => {
  it('has examples, those of its tutorials among them', () => {
    expect(fromDocs.length).toBeGreaterThan(25)
    expect(fromDocs.map(({ file }) => file.slice(file.lastIndexOf('/') + 1))).toContain('follow.mjs')
  })

  it.each(fromDocs.map(({ page, file }) => [page, file] as const))(
    'the example of %s in %s fits the packages’ types',
    (_page, file) => {
      expect(errorsIn(file)).toEqual([])
    },
  )
})

describe('README', () => {
  it('has an example for each kind of developer', () => {
    const files = fromDocs.filter(({ page }) => page === 'README.md').map(({ file }) => file)
    expect(files.map((file) => file.slice(file.lastIndexOf('/') + 1))).toEqual([
      'retry.test.mjs',
      'poll.mjs',
      'receiver.mjs',
    ])
  })

  it.each(serverExamples.map((_code, index) => index))(
    'example %i of the reference server fits its types',
    (index) => {
      expect(errorsIn(serverFileOf(index))).toEqual([])
    },
  )

  it('detects a method that does not exist', () => {
    expect(errorsIn(WRONG_FILE)).toEqual(["Property 'all' does not exist on type 'Forms'."])
  })
})
