/** Runs the TypeScript examples of pages, with modules and values that the test chooses. */

import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect } from 'vitest'
import { read } from '../../scripts/project/project.ts'

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor

/** What an example gets: modules by name, and values of other names that it uses, such as `process`. */
export interface Given {
  modules?: Readonly<Record<string, object>>
  values?: Readonly<Record<string, unknown>>
}

/** Returns the only example of a page that contains a text. @throws Error if there are none or several */
export function exampleOf(page: string, holding: string): string {
  const text = read(`docs/how-to/${page}`)
  const blocks = [...text.matchAll(/^```(?:ts|js)\n([\s\S]*?)^```/gm)].map(([, code]) => code as string)
  const found = blocks.filter((code) => code.includes(holding))
  if (found.length !== 1) throw new Error(`${found.length} examples of ${page} contain "${holding}"`)
  return found[0] as string
}

/** Runs an example to its end. Returns what it exports. */
export async function runExample(
  code: string,
  { modules = {}, values = {} }: Given,
): Promise<Record<string, unknown>> {
  // `verbatimModuleSyntax` of the tsconfig.json that an example is written for: no import is left out.
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  })
  const exported = [...outputText.matchAll(/^export (?:const|async function|function) (\w+)/gm)].map(
    ([, name]) => name,
  )
  const body = outputText
    .replace(
      /^import (\{[^}]*\}) from '(.*)';?$/gm,
      (_all, names: string, name: string) => `const ${names.replaceAll(' as ', ': ')} = module('${name}');`,
    )
    .replace(/^import (\w+) from '(.*)';?$/gm, "const $1 = module('$2').default;")
    .replace(/^export (?=const|async|function)/gm, '')
    .replace(/^export \{\s*\};?$/gm, '')
  const find = (name: string): object => {
    const found = modules[name]
    if (!found) throw new Error(`the example imports ${name}, which the test does not give`)
    return found
  }
  const run = new AsyncFunction(
    'module',
    ...Object.keys(values),
    `{ ${body}\n${exported.length > 0 ? `return { ${exported.join(', ')} }` : ''} }`,
  )
  return await run(find, ...Object.values(values))
}

/** The TypeScript blocks of pages, whose own words are what tests run. */
export class Examples {
  readonly blocks: readonly string[]
  /** Blocks that ran. */
  readonly ran = new Set<string>()

  /** @param pages relative to the folder of the tests of a package */
  constructor(folder: string, pages: readonly string[]) {
    const text = pages.map((page) => readFileSync(new URL(page, folder), 'utf8')).join('\n')
    this.blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
  }

  /** The block that holds this text. */
  block(holding: string): string {
    const found = this.blocks.filter((code) => code.includes(holding))
    expect(found, holding).toHaveLength(1)
    return found[0] as string
  }

  /** Runs a block unchanged, with the variables that the surrounding text assumes. `then` continues inside it. */
  async run(
    code: string,
    modules: Readonly<Record<string, object>>,
    values: Readonly<Record<string, unknown>>,
    then = '',
  ): Promise<unknown> {
    this.ran.add(code)
    return await runExample(`${code.replace(/^import express from 'express'$/m, '')}\n${then}`, {
      modules,
      values,
    })
  }
}
