import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { stepsOf } from '../../scripts/tutorials/steps.ts'
import { TEST_TIMEOUT_MS } from '../support/patience.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the examples of a README in order. */
const examplesOf = (page: string): string[] =>
  [...readFileSync(root + page, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code as string)

const examples = examplesOf('README.md')
const serverExamples = examplesOf('packages/reference-server/README.md')

const fileOf = (index: number): string => `${root}test/docs/readme-example-${index}.ts`
const serverFileOf = (index: number): string => `${root}packages/reference-server/readme-example-${index}.ts`
const GENERATED = `export type { paths } from '${root}packages/reference-server/test/testing/generated/openapi.ts'\n`
const wrongFile = `${root}test/docs/wrong-example.ts`

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
  return [...pages, 'packages/contract/README.md'].flatMap((page) => {
    const text = readFileSync(root + page, 'utf8')
    const folder = `${packageOf(page, text)}docs-examples/${page.replace(/\W/g, '-')}`
    const typed = [...text.matchAll(TYPED)].flatMap(([, comment = '', code], index) =>
      comment.startsWith('not compiled:')
        ? []
        : {
            page,
            file: `${folder}/example-${index}.ts`,
            code: `${/^(?:declare|import)\b/.test(comment) ? comment : ''}\n${code}\nexport {}\n`,
          },
    )
    const isTutorial = page.startsWith('docs/tutorials/') && /^```js/m.test(text)
    const saved = isTutorial ? stepsOf(text).filter((step) => step.kind === 'file') : []
    return [...typed, ...saved.map(({ name, code }) => ({ page, file: `${folder}/${name}`, code }))]
  })
}

/** The package from which the imports of a page are found: the repository's own, unless only another has what it needs. */
function packageOf(page: string, text: string): string {
  const [own] = /^packages\/[^/]+\//.exec(page) ?? []
  return (
    root + (own ?? (/ from '(?:openapi-fetch|msw)/.test(text) ? 'packages/reference-server/' : 'test/docs/'))
  )
}

const fromDocs = docExamples()

/** A parameter, variable or member without a type: JavaScript has no other. */
const UNTYPED: ReadonlySet<number> = new Set([7005, 7006, 7031, 7034])

/** The examples as files that exist only for the compiler, each an ES module. */
const files = new Map<string, string>([
  ...examples.map((code, index) => [fileOf(index), `${code}\nexport {}\n`] as const),
  ...serverExamples.map((code, index) => [serverFileOf(index), `${code}\nexport {}\n`] as const),
  ...fromDocs.map(({ file, code }) => [file, code] as const),
  // What openapi-typescript writes in docs/tutorials/generate-a-client.md.
  ...fromDocs
    .filter(({ code }) => code.includes('./formwire.d.ts'))
    .map(({ file }) => [`${dirname(file)}/formwire.d.ts`, GENERATED] as const),
  [wrongFile, "import { Formwire } from '@formwire/sdk'\nnew Formwire().forms.all()\n"],
])

/** One program for all examples: most of the time goes into what they import. */
let program: ts.Program
beforeAll(() => {
  const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, allowJs: true, checkJs: true },
    root,
  )
  const folders = new Set([...files.keys()].map((file) => dirname(file)))
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, directoryExists } = host
  host.directoryExists = (name) => folders.has(name) || (directoryExists?.call(host, name) ?? true)
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const code = files.get(name)
    return code === undefined
      ? getSourceFile.call(host, name, languageVersion, ...rest)
      : ts.createSourceFile(name, code, languageVersion)
  }
  program = ts.createProgram([...files.keys()], options, host)
  // It takes seconds, and minutes on a machine that is busy otherwise.
}, 5 * TEST_TIMEOUT_MS)

/** Returns the compiler's messages for an example, under the repository's settings. */
const typeErrors = (file: string): string[] =>
  ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .filter(({ code }) => file.endsWith('.ts') || !UNTYPED.has(code))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))

describe('docs', () => {
  it('has examples, those of its tutorials among them', () => {
    expect(fromDocs.length).toBeGreaterThan(25)
    expect(fromDocs.map(({ file }) => file.slice(file.lastIndexOf('/') + 1))).toContain('follow.mjs')
  })

  it.each(fromDocs.map(({ page, file }) => [page, file] as const))(
    'the example of %s in %s fits the packages’ types',
    (_page, file) => {
      expect(typeErrors(file)).toEqual([])
    },
  )
})

describe('README', () => {
  it('has an example for each kind of developer', () => {
    expect(examples).toHaveLength(3)
  })

  it.each(examples.map((_code, index) => index))('example %i fits the packages’ types', (index) => {
    expect(typeErrors(fileOf(index))).toEqual([])
  })

  it.each(serverExamples.map((_code, index) => index))(
    'example %i of the reference server fits its types',
    (index) => {
      expect(typeErrors(serverFileOf(index))).toEqual([])
    },
  )

  it('detects a method that does not exist', () => {
    expect(typeErrors(wrongFile)).toEqual(["Property 'all' does not exist on type 'Forms'."])
  })
})
