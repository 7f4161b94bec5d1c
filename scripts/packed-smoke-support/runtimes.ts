import { join } from 'node:path'
import { install } from './run.ts'

/** A runtime that npm carries, and how it runs a script. */
export interface Runtime {
  name: string
  command: string
  /** In front of the script's name. */
  args: string[]
  /** Node's major; `undefined` for another runtime. */
  nodeMajor?: number
}

const NODE_MAJORS = [20, 22, 24, 26]

/** Every supported Node, in a folder of its own each: npm installs one version of a package into a folder. */
export async function installNodes(work: string): Promise<Runtime[]> {
  return Promise.all(
    NODE_MAJORS.map(async (nodeMajor) => ({
      name: `Node ${nodeMajor}`,
      command: await nodeBinary(work, nodeMajor),
      args: [],
      nodeMajor,
    })),
  )
}

/** The running Node serves its own major. The package's install script fetches nothing: it links what its dependency carries. */
async function nodeBinary(work: string, major: number): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath
  const folder = await install(work, `node-${major}`, [`node@${major}`])
  return join(folder, 'node_modules', 'node', 'bin', 'node')
}

/** Deno and Bun, which run the same scripts as Node, and workerd, which Cloudflare's Workers run on. */
export async function installOthers(work: string): Promise<{ scripted: Runtime[]; workerd: string }> {
  const folder = await install(work, 'runtimes', ['deno@2', 'bun@1', 'workerd@1'])
  const bin = (name: string) => join(folder, 'node_modules', '.bin', name)
  // Deno asks for leave for everything: what is not named here, the package does without.
  const allowed = ['--allow-read', '--allow-env', '--allow-net=127.0.0.1']
  return {
    scripted: [
      { name: 'Deno', command: bin('deno'), args: ['run', '--quiet', '--no-prompt', ...allowed] },
      { name: 'Bun', command: bin('bun'), args: [] },
    ],
    workerd: bin('workerd'),
  }
}
