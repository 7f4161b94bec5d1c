import type { Options } from 'tsup'
import ts from 'typescript'

type Plugin = NonNullable<Options['plugins']>[number]

/**
 * Replaces the static imports of built-in modules in finished chunks with `process.getBuiltinModule()`, which needs no module
 * record with all exports: a start takes about a millisecond less. Before bundling, as `builtinsWithoutImport` does it, each
 * built-in module that several chunks use would be a chunk, which takes longer to load.
 */
export function builtinsAfterBundling(): Plugin {
  return {
    name: 'builtins-after-bundling',
    renderChunk: (code) => ({ code: withoutBuiltinImports(code) }),
  }
}

/** Returns the module with constants at its start in place of its imports of built-in modules. */
function withoutBuiltinImports(code: string): string {
  const { statements } = ts.createSourceFile(
    'chunk.js',
    code,
    ts.ScriptTarget.ESNext,
    false,
    ts.ScriptKind.JS,
  )
  const constants: string[] = []
  let rest = ''
  let at = 0
  for (const statement of statements) {
    const constant = ts.isImportDeclaration(statement) ? constantOf(statement) : undefined
    if (constant === undefined) continue
    constants.push(constant)
    rest += code.slice(at, statement.pos)
    at = statement.end
  }
  if (constants.length === 0) return code
  const [shebang = ''] = /^#!.*\n/.exec(code) ?? []
  return `${shebang}${constants.join('')}${(rest + code.slice(at)).slice(shebang.length)}`
}

function constantOf({ importClause, moduleSpecifier }: ts.ImportDeclaration): string | undefined {
  const specifier = (moduleSpecifier as ts.StringLiteral).text
  if (!specifier.startsWith('node:') || importClause === undefined) return undefined
  const { name, namedBindings } = importClause
  const patterns = name ? [name.text] : []
  if (namedBindings && ts.isNamespaceImport(namedBindings)) patterns.push(namedBindings.name.text)
  else if (namedBindings) {
    const names = namedBindings.elements.map(
      (one) => `${(one.propertyName ?? one.name).text}:${one.name.text}`,
    )
    patterns.push(`{${names.join()}}`)
  }
  const module = `process.getBuiltinModule(${JSON.stringify(specifier)})`
  return patterns.map((pattern) => `const ${pattern}=${module};`).join('')
}
