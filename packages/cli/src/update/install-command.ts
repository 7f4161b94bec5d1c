import { existsSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'

const FOLDER = `${sep}node_modules${sep}`

/**
 * Returns the command that installs the latest version where the running one is: in the project of the working directory, in the cache
 * of npx, or else for the whole machine.
 * @param program path of the running program
 */
export function installCommand(program: string, workingDirectory: string): string {
  const path = realPath(program)
  if (path.includes(`${sep}_npx${sep}`)) return 'npx @formwire/cli@latest'
  const root = path.slice(0, Math.max(0, path.indexOf(FOLDER)))
  const isOfProject =
    root !== '' &&
    `${realPath(workingDirectory)}${sep}`.startsWith(`${root}${sep}`) &&
    existsSync(join(root, 'package.json'))
  return isOfProject ? 'npm install @formwire/cli@latest' : 'npm install --global @formwire/cli'
}

/** The file behind the link that npm makes for a program. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
