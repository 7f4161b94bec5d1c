import { createRequire } from 'node:module'
import { join } from 'node:path'
import type typescript from 'typescript'

const require = createRequire(import.meta.url)

/** The strictest options that projects use. */
export const OPTIONS = {
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

/** Type-checks a project with the oldest TypeScript that can read generated types. Returns the errors. */
export function compile(directory: string): string[] {
  const ts: typeof typescript = require('typescript-5.4')
  const path = join(directory, 'tsconfig.json')
  const { config } = ts.readConfigFile(path, ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, directory)
  const program = ts.createProgram(fileNames, options)
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.text.slice(0, start).split('\n').length : 0
    return `${file?.fileName.slice(directory.length + 1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
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

/** Runs a generated module with each version of zod and returns what it exports. */
export function evaluate(module: string, versions: readonly unknown[]): Record<string, unknown>[] {
  const ts = require('typescript') as typeof typescript
  const { outputText } = ts.transpileModule(module, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  })
  return versions.map((zod) => {
    const exports: Record<string, unknown> = {}
    new Function('require', 'exports', outputText)(() => zod, exports)
    return exports
  })
}
