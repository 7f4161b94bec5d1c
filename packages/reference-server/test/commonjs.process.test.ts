import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { writeCommonJs } from '../commonjs.ts'

it('renames what a module imports for CommonJS, and no name inside a script that it serves', async () => {
  const dist = temporaryDirectory()
  mkdirSync(join(dist, 'http'))
  const script = 'import{a}from"./chunk-1.js";import("./chunk-2.js");const b=require("./chunk-3.js")'
  const files = {
    'core.js': 'export const name = "core"\n',
    'core.d.ts': 'export declare const name: string\n',
    'http/page.js': `import { name } from "../core.js"
export { name }
export const again = async () => (await import("../core.js")).name
export const script = '${script}'
`,
    'http/page.d.ts': 'export { name } from "../core.js"\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name), text)
  await writeCommonJs(dist)
  const page = createRequire(join(dist, 'http/'))('./page.cjs') as {
    name: string
    script: string
    again(): Promise<string>
  }
  expect([page.name, await page.again(), page.script]).toEqual(['core', 'core', script])
  expect(readFileSync(join(dist, 'http/page.d.cts'), 'utf8')).toBe('export { name } from "../core.cjs"\n')
})
