import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Declarations that the examples assume. */
const PRELUDE = `
declare function store(response: import('@formwire/sdk').FormResponse): Promise<void>
declare function handle(response: unknown): Promise<void>
declare const request: import('node:http').IncomingMessage
declare const rawBody: Uint8Array
`

/** Returns the examples of a page in order. */
const examplesOf = (page: string): string[] =>
  [...readFileSync(root + page, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code as string)

const examples = examplesOf('README.md')
const serverExamples = examplesOf('packages/reference-server/README.md')

const fileOf = (index: number): string => `${root}test/docs/readme-example-${index}.ts`
const serverFileOf = (index: number): string => `${root}packages/reference-server/readme-example-${index}.ts`
const wrongFile = `${root}test/docs/wrong-example.ts`

/** The examples as files that exist only for the compiler, each an ES module. */
const files = new Map<string, string>([
  ...examples.map((code, index) => [fileOf(index), `${PRELUDE}\n${code}\nexport {}\n`] as const),
  ...serverExamples.map((code, index) => [serverFileOf(index), `${PRELUDE}\n${code}\nexport {}\n`] as const),
  [wrongFile, "import { Formwire } from '@formwire/sdk'\nnew Formwire().forms.all()\n"],
])

/** One program for all examples: most of the time goes into what they import. */
let program: ts.Program
beforeAll(() => {
  const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const code = files.get(name)
    return code === undefined
      ? getSourceFile.call(host, name, languageVersion, ...rest)
      : ts.createSourceFile(name, code, languageVersion)
  }
  program = ts.createProgram([...files.keys()], options, host)
})

/** Returns the compiler's messages for an example, under the repository's settings. */
const typeErrors = (file: string): string[] =>
  ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))

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
