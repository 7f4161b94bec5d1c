import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Returns whether a program is there that some tests need, so that they can be skipped without it. Where `CI` is set nothing
 * may be skipped.
 *
 * @param program A name on the PATH, or a path.
 * @throws Error in CI if it is missing.
 */
export function hasProgram(program: string): boolean {
  const there = program.includes('/')
    ? existsSync(program)
    : spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' }).status === 0
  if (!there && process.env.CI) {
    throw new Error(
      `${program} is missing: in CI no test may be skipped. .ci/run installs what the tests need.`,
    )
  }
  return there
}
