import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../../scripts/project/project.ts'
import { temporaryDirectory } from './temporary.ts'

/**
 * What Go needs. Its cache is kept between runs, since Go compiles its standard library into it.
 *
 * @public The tests of the examples use it, too, which knip does not read.
 */
export const GO_ENV = {
  GOCACHE: join(root, 'node_modules/.cache/go-build'),
  GOFLAGS: '',
  GOPROXY: 'off',
} as const

const built = new Map<string, string>()

/** Builds the program in Go of a folder below `examples`, once a worker, and returns its path. */
export function goProgram(folder: string): string {
  const known = built.get(folder)
  if (known) return known
  const path = join(temporaryDirectory(), 'program')
  const { status, stderr } = spawnSync('go', ['build', '-o', path, '.'], {
    cwd: join(root, 'examples', folder),
    env: { ...process.env, ...GO_ENV },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  built.set(folder, path)
  return path
}
