import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
/** Far longer than any step, so that a hanging runtime fails the run. */
const TIMEOUT_MS = 180_000

/** Runs a command. @throws with its output if the exit code is not 0. */
export async function run(command: string, args: string[], cwd: string): Promise<void> {
  try {
    await execute(command, args, { cwd, timeout: TIMEOUT_MS })
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed with ${code}: ${error}\n${stdout}${stderr}`)
  }
}

/** Installs packages from npm into a new folder. @returns the folder. */
export async function install(work: string, name: string, packages: string[]): Promise<string> {
  const folder = join(work, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], folder)
  return folder
}
