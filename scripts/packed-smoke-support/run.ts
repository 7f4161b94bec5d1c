import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
/** Far above what a step takes; so that a runtime that hangs fails the run instead of holding it. */
const TIMEOUT_MS = 180_000

/** Runs a command to its end. @throws with all that it printed, if its exit code is not 0. */
export async function run(command: string, args: string[], cwd: string): Promise<void> {
  try {
    await execute(command, args, { cwd, timeout: TIMEOUT_MS })
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed with ${code}: ${error}\n${stdout}${stderr}`)
  }
}

/** Installs packages from npm into a new folder of their own. @returns the folder. */
export async function install(work: string, name: string, packages: string[]): Promise<string> {
  const folder = join(work, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], folder)
  return folder
}
