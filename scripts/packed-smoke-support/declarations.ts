import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import type { Manifest } from '../project/project.ts'
import type { Tarballs } from '../project/tarballs.ts'
import { installProject, type Project } from './projects.ts'

/** Packages with what they depend on and their peers. Only the first is a dependency of a project itself: pnpm hides the others from it. */
const PROJECTS: readonly (Pick<Project, 'others'> & { packages: [string, ...string[]] })[] = [
  { packages: ['sdk', 'contract'], others: { undici: '^7', zod: '^4', '@opentelemetry/api': '^1.9' } },
  { packages: ['webhook-verify'] },
  { packages: ['reference-server', 'contract'], others: { msw: '^2.15' } },
  { packages: ['sync', 'sdk', 'contract'] },
  { packages: ['contract'], others: { zod: '^4' } },
]
const HELPERS = `declare function call<Result>(_: (...given: never) => Result): Awaited<Result>
declare function make<Made>(_: abstract new (...given: never) => Made): Made
`
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  declaration: true,
  noEmitOnError: false,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  lib: ['lib.es2022.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
  skipLibCheck: true,
}
/** Members of members, as in `startFormwire().server.app.responses.create()`. */
const DEPTH = 7

/**
 * Emits the declarations of a file of a user that exports everything an entry point gives: each export, what it returns, and the members of that.
 * @throws with the errors of the compiler: a type that no entry point exports cannot be named
 */
export async function checkDeclarations(work: string, tarballs: Tarballs): Promise<void> {
  const problems: string[] = []
  for (const { packages, others } of PROJECTS) {
    const [first] = packages
    const folder = await installProject(
      work,
      {
        name: `declarations-${first}`,
        manager: 'pnpm',
        packages,
        others: { '@types/node': '^22', ...others },
        direct: 1,
      },
      tarballs,
    )
    const errors = declarationErrors(folder, first)
    if (errors !== '') problems.push(`declarations of ${first}:\n${errors}`)
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  console.log('declarations: passed')
}

function declarationErrors(folder: string, name: string): string {
  const path = join(folder, 'node_modules/@formwire', name, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest & { exports: Record<string, unknown> }
  const entries = Object.entries(manifest.exports).filter(([, target]) => typeof target === 'object')
  const files = entries.map(([entry], index) => {
    const file = join(folder, `entry-${index}.mts`)
    const lines = [`import * as entry from '@formwire/${name}${entry.slice(1)}'`, 'export { entry }']
    writeFileSync(file, lines.join('\n'))
    return file
  })
  const program = ts.createProgram(files, OPTIONS)
  for (const file of files) {
    const lines = expressions(program, file).map((text, index) => `export const e${index} = ${text}`)
    writeFileSync(file, `${readFileSync(file, 'utf8').split('\n')[0]}\n${HELPERS}${lines.join('\n')}\n`)
  }
  const emitted = ts.createProgram(files, OPTIONS)
  const diagnostics = [...ts.getPreEmitDiagnostics(emitted), ...emitted.emit(undefined, () => {}).diagnostics]
  return ts.formatDiagnosticsWithColorAndContext(diagnostics, {
    getCanonicalFileName: (file) => file,
    getCurrentDirectory: () => folder,
    getNewLine: () => '\n',
  })
}

/** Returns an expression for each value of our own types to which an entry point leads. */
function expressions(program: ts.Program, file: string): string[] {
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file) as ts.SourceFile
  const found: string[] = []
  const seen = new Set<ts.Type>()
  const visit = (type: ts.Type, text: string, depth: number): void => {
    found.push(text)
    if (depth === DEPTH || seen.has(type)) return
    seen.add(type)
    for (const signature of type.getCallSignatures().slice(-1)) {
      const result = checker.getAwaitedType(signature.getReturnType()) ?? signature.getReturnType()
      visit(result, `call(${text})`, depth + 1)
    }
    for (const signature of type.getConstructSignatures().slice(-1))
      visit(signature.getReturnType(), `make(${text})`, depth + 1)
    if (!isOurs(type)) return
    for (const property of type.getProperties()) {
      const { declarations = [] } = property
      const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
      const isHidden = declarations.some((one) => ts.getCombinedModifierFlags(one) & hidden)
      if (isHidden || !/^[a-zA-Z]\w*$/.test(property.name)) continue
      const member = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(property, source))
      visit(member, `${text}.${property.name}!`, depth + 1)
    }
  }
  const [entry] = checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol)
  const module = checker.getAliasedSymbol(entry as ts.Symbol)
  for (const exported of checker.getExportsOfModule(module)) {
    const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    if (target.flags & ts.SymbolFlags.Value)
      visit(checker.getTypeOfSymbolAtLocation(target, source), `entry.${exported.name}`, 0)
  }
  return found
}

const isOurs = (type: ts.Type): boolean =>
  (type.symbol ?? type.aliasSymbol)?.declarations?.some((one) =>
    one.getSourceFile().fileName.includes('@formwire'),
  ) ?? false
