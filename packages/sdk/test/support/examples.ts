import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

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
    given: Readonly<Record<string, unknown>>,
    then = '',
  ): Promise<unknown> {
    this.ran.add(code)
    const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor
    const body = code
      .replace(/^import type .*$/gm, '')
      .replace(/answersOf<\w+>/g, 'answersOf')
      .replace(/^import (\{.*\}) from '(.*)'$/gm, "const $1 = modules['$2']")
      .replace(/^import express from 'express'$/m, '')
    const names = ['modules', ...Object.keys(given)]
    return new AsyncFunction(...names, `{ ${body}\n${then} }`)(modules, ...Object.values(given))
  }
}
