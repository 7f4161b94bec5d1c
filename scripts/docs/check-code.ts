import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fencesOf } from './markdown.ts'

/** Returns the pages of a built site whose code differs from that of their Markdown, such as where a template was filled in. */
export function changedCode(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const shown = codeOf(readFileSync(join(folder, `${file.slice(0, -3)}.html`), 'utf8'))
      const lost = fencesOf(readFileSync(join(folder, file), 'utf8')).find(
        ({ code }) => !shown.has(code.trimEnd()),
      )
      return lost === undefined ? [] : [`${file}: the page does not show this code as it is:\n${lost.code}`]
    })
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Returns the text of each block of code, as a browser shows and copies it. */
function codeOf(html: string): ReadonlySet<string> {
  const blocks = html.matchAll(/<pre[^>]*><code[^>]*>([\s\S]*?)<\/code><\/pre>/g)
  return new Set(
    [...blocks].map(([, code = '']) =>
      code
        .replace(/<[^>]+>/g, '')
        .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (entity, decimal, hex, name) =>
          name === undefined
            ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
            : (ENTITIES[name] ?? entity),
        )
        .trimEnd(),
    ),
  )
}
