import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const pathOf = (name: string): string => join(process.env.FORMWIRE_REHEARSAL_DIR ?? '', name)

/** Adds a line to a file. */
export const append = (name: string, line: string | number): void => appendFileSync(pathOf(name), `${line}\n`)

/** Reads a file; '' when there is none. */
export function read(name: string): string {
  try {
    return readFileSync(pathOf(name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Reads the lines of a file. */
export const lines = (name: string): string[] => read(name).split('\n').slice(0, -1)

/** Replaces a file in one step. */
export function replace(name: string, text: string): void {
  writeFileSync(pathOf(`${name}.new`), text)
  renameSync(pathOf(`${name}.new`), pathOf(name))
}
