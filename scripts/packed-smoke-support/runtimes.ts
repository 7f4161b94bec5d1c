import { join } from 'node:path'
import { installTools } from './projects.ts'

/** A runtime that is installed from npm, and how it runs a script. */
export interface Runtime {
  name: string
  command: string
  /** Arguments before the name of the script. */
  args: string[]
}

const NODE_MAJORS = [20, 22, 24, 26]

/** Starts to install every supported Node, each into its own folder because npm installs one version of a package per folder. */
export function installNodes(work: string): Map<number, Promise<string>> {
  return new Map(
    NODE_MAJORS.map((major) => {
      const installed = nodeBinary(work, major)
      // Reported by the project that needs it.
      installed.catch(() => {})
      return [major, installed]
    }),
  )
}

/** Returns the running Node for its major version. The install script downloads nothing; it links the binary of a dependency. */
async function nodeBinary(work: string, major: number): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath
  const folder = await installTools(work, `node-${major}`, [`node@${major}`])
  return join(folder, 'node_modules', 'node', 'bin', 'node')
}

/** Installs Deno and Bun, which run the same scripts as Node, and workerd, the runtime of Cloudflare Workers. */
export async function installOthers(work: string): Promise<{ scripted: Runtime[]; workerd: string }> {
  const folder = await installTools(work, 'runtimes', ['deno@2', 'bun@1', 'workerd@1'])
  const bin = (name: string) => join(folder, 'node_modules', '.bin', name)
  // Deno requires permissions; the package needs no others.
  const allowed = ['--allow-read', '--allow-env', '--allow-net=127.0.0.1']
  return {
    scripted: [
      { name: 'Deno', command: bin('deno'), args: ['run', '--quiet', '--no-prompt', ...allowed] },
      { name: 'Bun', command: bin('bun'), args: [] },
    ],
    workerd: bin('workerd'),
  }
}
