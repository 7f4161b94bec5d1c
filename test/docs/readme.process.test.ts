import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { generatedTypes } from '../../packages/reference-server/test/testing/generated-types.ts'
import { blocksOf } from '../../scripts/docs/markdown.ts'
import { HTTP_API, openApiPages } from '../../scripts/docs/openapi.ts'
import { read, root } from '../../scripts/project/project.ts'
import { stepsOf } from '../../scripts/tutorials/steps.ts'
import { TEST_TIMEOUT_MS } from '../support/patience.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { type CompilerError, typeErrors, writeProject } from '../support/type-errors.ts'

/** The examples of the reference server's README in order. */
const serverExamples = [...read('packages/reference-server/README.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, code]) => code as string,
)

const serverFileOf = (index: number): string => `reference-server/example-${index}.ts`

/** Where the examples of docs/tutorials/generate-a-client.md are, with the types that it has its reader generate. */
const CLIENT = 'docs-tutorials-generate-a-client-md'
const NARROWS_FILE = `${CLIENT}/narrows.ts`

/** A client with these types, and the guard of the page. */
const NARROWS = `
import createClient from 'openapi-fetch'
import type { components, paths } from './formwire.d.ts'
import { isAnswerOf } from './is-answer-of.ts'
const api = createClient<paths>()
export const created = (await api.POST('/forms/{id}/webhooks', { params: { path: { id: 'a' } }, body: { url: '' } })).data?.data
  .secret satisfies string | undefined
export const failed = (await api.GET('/forms', { params: { query: { per_page: 0 } } })).error?.error
  .code satisfies string | undefined
export function describeAnswer(answer: components['schemas']['Answer']): string {
  if (isAnswerOf(answer, 'rating')) return answer.value.toFixed(1)
  if (isAnswerOf(answer, 'single_choice')) return answer.value.ids.join()
  return answer.text
}
`

/** An example of a page: TypeScript is compiled by itself, JavaScript as the file that the page has its reader save. */
interface DocExample {
  page: string
  file: string
  code: string
}

/** Where the examples of webhook-verify are, some of which import others and what stands for the reader's database. */
const RECEIVERS = 'docs-reference-webhook-verify-md'

/** Tests of their own contain each of their examples, or run it. */
const COMPILED_ELSEWHERE: ReadonlySet<string> = new Set([
  'docs/how-to/test-kit.md',
  'docs/reference/sdk.md',
  'docs/reference/sync.md',
])

/** An example, and the HTML comment right before it. */
const TYPED = /(?:<!--\s*((?:(?!-->)[\s\S])*?)\s*-->\s*)?^```ts[^\n]*\n([\s\S]*?)^```/gm

/**
 * Returns the examples of docs/ and of two packages; those of the others are compiled in their own tests. A comment before one
 * that begins with `declare` or `import` has what it assumes; one that begins with `not compiled:` says why it is left out.
 */
function docExamples(): DocExample[] {
  const pages = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
    .map((name) => `docs/${name}`)
    .filter((page) => !COMPILED_ELSEWHERE.has(page))
  const readmes = ['README.md', 'packages/contract/README.md', 'packages/webhook-verify/README.md']
  return [...readmes, ...pages].flatMap((page) => {
    const text = read(page)
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

/** The example with this text, of a page if it is named. */
const codeWith = (text: string, page = ''): string =>
  fromPages.find((one) => one.code.includes(text) && one.page.endsWith(page))?.code ?? ''

/** A parameter, variable or member without a type: JavaScript has no other. */
const UNTYPED: ReadonlySet<number> = new Set([7005, 7006, 7031, 7034])

/** The code that an example imports from another one of its page, which the reader saves as a file. */
const importedByOthers = fromPages.flatMap(({ page, file, code }) =>
  blocksOf(read(page)).flatMap((block) =>
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
  [NARROWS_FILE, NARROWS],
  ['wrong-example.ts', "import { Formwire } from '@formwire/sdk'\nnew Formwire().forms.all()\n"],
  ...[RECEIVERS, 'packages-webhook-verify-README-md'].map((folder): [string, string] => [
    `${folder}/responses.ts`,
    `export { saved, saveResponse } from '${root}packages/webhook-verify/test/readme/responses.ts'\n`,
  ]),
  [`${RECEIVERS}/deno-bun.ts`, codeWith('Deno.serve(receive)')],
  [`${RECEIVERS}/fetch.ts`, codeWith('export default worker', 'webhook-verify.md')],
  [`${CLIENT}/is-answer-of.ts`, codeWith('function isAnswerOf')],
])

/** Where an example finds what it imports: the first folder that has a package. */
const MODULES = ['.', 'packages/cli', 'packages/reference-server', 'packages/webhook-verify']

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
  const { compilerOptions } = JSON.parse(read('tsconfig.json'))
  const directory = temporaryDirectory()
  linkModules(directory)
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
  const types = await generatedTypes()
  const all = { ...files, [`${CLIENT}/formwire.d.ts`]: types }
  writeProject(directory, { ...compilerOptions, allowJs: true, checkJs: true }, all)
  errors = await typeErrors(directory)
  // It takes seconds, and minutes on a machine that is busy otherwise.
}, 5 * TEST_TIMEOUT_MS)

/** Returns the compiler's messages for an example, under the repository's settings. */
const errorsIn = (example: string): string[] =>
  errors
    .filter(({ file, code }) => file === example && (file.endsWith('.ts') || !UNTYPED.has(code)))
    .map(({ message }) => message)

describe('docs', () => {
  it('would show what is wrong', () => {
    expect(errorsIn('wrong-example.ts')).toHaveLength(1)
  })

  it.each(fromDocs.map(({ page, file }) => [page, file] as const))(
    'the example of %s in %s fits the packages’ types',
    (_page, file) => {
      expect(errorsIn(file)).toEqual([])
    },
  )
})

describe('types generated from openapi.json', () => {
  it('[ENV-03][ENV-04] have each request, the errors, and answers that the guard of the tutorial narrows', () => {
    expect(errorsIn(NARROWS_FILE)).toEqual([])
    expect(errorsIn(`${CLIENT}/is-answer-of.ts`)).toEqual([])
  })
})

describe('README', () => {
  it.each(serverExamples.map((_code, index) => index))(
    'example %i of the reference server fits its types',
    (index) => {
      expect(errorsIn(serverFileOf(index))).toEqual([])
    },
  )
})
