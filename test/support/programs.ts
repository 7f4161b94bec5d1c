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
    : succeeds('sh', ['-c', 'command -v "$1"', 'sh', program])
  return neededInCi(program, there)
}

/** Returns whether `python3` has a module, such as `pytest`. @throws Error in CI if it is missing. */
export function hasPythonModule(name: string): boolean {
  return neededInCi(`the Python module ${name}`, succeeds('python3', ['-c', `import ${name}`]))
}

const succeeds = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

function neededInCi(what: string, there: boolean): boolean {
  if (!there && process.env.CI) {
    throw new Error(`${what} is missing: in CI no test may be skipped. .ci/run installs what the tests need.`)
  }
  return there
}
