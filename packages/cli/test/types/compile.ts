import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type typescript from 'typescript'

const require = createRequire(import.meta.url)

/** The strictest options that projects use. */
const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
}

/** Writes the files and a tsconfig.json into a directory. */
export function writeProject(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  const config = { compilerOptions: OPTIONS, include: ['**/*.ts'] }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config))
}

/** Type-checks a project with a TypeScript that has the JavaScript API. Returns the errors. */
export function compile(directory: string, compiler: 'typescript' | 'typescript-5.4'): string[] {
  const ts: typeof typescript = compiler === 'typescript' ? require('typescript') : require('typescript-5.4')
  const path = join(directory, 'tsconfig.json')
  const { config } = ts.readConfigFile(path, ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, directory)
  const program = ts.createProgram(fileNames, options)
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.text.slice(0, start).split('\n').length : 0
    return `${file?.fileName.slice(directory.length + 1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}

/** Type-checks a project with TypeScript 7, a native program. Returns its output, empty without errors. */
export function compileNatively(directory: string): Promise<string> {
  const program = join(dirname(require.resolve('typescript-7/package.json')), 'bin', 'tsc')
  const child = spawn(process.execPath, [program, '--project', directory, '--pretty', 'false'])
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(`${Buffer.concat(chunks)}${code === 0 ? '' : `exit code ${code}`}`))
  })
}

/** Parses a module as an editor does. */
export function parse(module: string): typescript.SourceFile {
  const ts = require('typescript') as typeof typescript
  return ts.createSourceFile('module.ts', module, ts.ScriptTarget.Latest, true)
}

/** Returns the names of the tags in the docstring of a node. */
export function tagsOf(node: typescript.Node): string[] {
  const ts = require('typescript') as typeof typescript
  return ts.getJSDocTags(node).map(({ tagName }) => tagName.text)
}

/** Returns the text of the docstring of a node. Undefined if it has links. */
export function commentOf(node: typescript.Node): string | undefined {
  const ts = require('typescript') as typeof typescript
  const [comment] = ts.getJSDocCommentsAndTags(node).map((part) => part.comment)
  return typeof comment === 'string' ? comment : undefined
}

/** Runs a generated module with a version of zod and returns what it exports. */
export function evaluate(module: string, zod: unknown): Record<string, unknown> {
  const ts = require('typescript') as typeof typescript
  const { outputText } = ts.transpileModule(module, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  })
  const exports: Record<string, unknown> = {}
  new Function('require', 'exports', outputText)(() => zod, exports)
  return exports
}
