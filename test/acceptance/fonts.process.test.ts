import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ServerProcess } from './support.ts'

it('serves the fonts of the repository with the pages of the built server', async () => {
  const server = await ServerProcess.start('--seed', 'empty')
  const sources = ['inter', 'inter-digits', 'jetbrains-mono'].map((name) =>
    readFileSync(new URL(`../../packages/reference-server/src/fonts/${name}.woff2`, import.meta.url)),
  )
  const expected = sources.map((bytes) => createHash('sha256').update(bytes).digest('hex'))
  try {
    for (const style of ['/_app/console/console.css', '/f/assets/form.css']) {
      const css = await (await fetch(server.first.url + style)).text()
      const urls = [...css.matchAll(/@font-face\{[^}]*url\(([^)]+)\)/g)].map(
        ([, file]) => new URL(file ?? '', server.first.url + style),
      )
      const fonts = await Promise.all(urls.map(async (url) => (await fetch(url)).arrayBuffer()))
      expect(fonts.map((bytes) => createHash('sha256').update(Buffer.from(bytes)).digest('hex'))).toEqual(
        expected,
      )
    }
  } finally {
    await server.stop()
  }
})
