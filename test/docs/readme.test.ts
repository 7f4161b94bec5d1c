import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Declarations that the examples assume. */
const PRELUDE = `
declare function store(response: import('@formwire/sdk').FormResponse): Promise<void>
declare function handle(response: unknown): Promise<void>
declare const request: import('node:http').IncomingMessage
declare const rawBody: Uint8Array
`

/** Returns the compiler's messages for a virtual file under the repository's settings. */
function typeErrors(code: string, at = 'test/docs/readme-example.ts'): string[] {
  const path = root + at
  const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => name === path || fileExists(name)
  // Marks the file as an ES module, like the packages.
  host.getSourceFile = (name, languageVersion, ...rest) =>
    name === path
      ? ts.createSourceFile(name, code, languageVersion)
      : getSourceFile.call(host, name, languageVersion, ...rest)
  const program = ts.createProgram([path], options, host)
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(path))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

/** Returns the examples of a page in order. */
const examplesOf = (page: string): string[] =>
  [...readFileSync(root + page, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code as string)

const examples = examplesOf('README.md')

describe('README', () => {
  it('has an example for each kind of developer', () => {
    expect(examples).toHaveLength(3)
  })

  it.each(examples.map((code, index) => [index + 1, code] as const))(
    'example %i fits the packages’ types',
    (_number, code) => {
      expect(typeErrors(`${PRELUDE}\n${code}\nexport {}\n`)).toEqual([])
    },
  )

  it.each(examplesOf('packages/reference-server/README.md').map((code, index) => [index + 1, code] as const))(
    'example %i of the reference server fits its types',
    (_number, code) => {
      expect(
        typeErrors(`${PRELUDE}\n${code}\nexport {}\n`, 'packages/reference-server/readme-example.ts'),
      ).toEqual([])
    },
  )

  it('detects a method that does not exist', () => {
    expect(typeErrors("import { Formwire } from '@formwire/sdk'\nnew Formwire().forms.all()\n")).toEqual([
      "Property 'all' does not exist on type 'Forms'.",
    ])
  })
})
