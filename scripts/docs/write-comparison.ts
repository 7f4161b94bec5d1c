/** Copies the figures of docs/explanation/comparison.md from bench/README.md: run it with `npx -y pnpm@12 generate`. */
import { readFileSync, writeFileSync } from 'node:fs'

const page = new URL('../../docs/explanation/comparison.md', import.meta.url)
const TABLE = /(?:^\|.*\|\n)+/gm
const MEASURED = /(?<=<!-- measured -->\n\n)(?:^\|.*\|\n)+/gm

interface Table {
  head: string
  rows: Map<string, string>
}

function readTable(text: string): Table {
  const [head = '', , ...rows] = text.trim().split('\n')
  return { head, rows: new Map(rows.map((row) => [row.split('|')[1]?.trim() ?? '', row])) }
}

const measured = [
  ...readFileSync(new URL('../../bench/README.md', import.meta.url), 'utf8').matchAll(TABLE),
].map(([text]) => readTable(text))

/** Returns the table with the figures of the benchmarks. @throws Error for a row that no benchmark has */
function withFigures(text: string): string {
  const { head, rows } = readTable(text)
  const source = measured.find(
    (table) => table.head === head && [...rows.keys()].every((name) => table.rows.has(name)),
  )
  if (!source)
    throw new Error(`bench/README.md has no table "${head}" with the rows ${[...rows.keys()].join(', ')}`)
  const [, rule] = text.split('\n')
  return `${[head, rule, ...[...rows.keys()].map((name) => source.rows.get(name))].join('\n')}\n`
}

writeFileSync(page, readFileSync(page, 'utf8').replace(MEASURED, withFigures))
