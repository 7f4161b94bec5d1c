import assert from 'node:assert/strict'
import { cpSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../project/project.ts'
import { run } from './run.ts'

/** Runs the commands of the Dockerfile in a copy of the clone without what .dockerignore leaves out, and the server that they install. */
export async function runDockerfile(work: string): Promise<void> {
  const folder = join(work, 'docker')
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n')
  const patterns = ignored.map((line) =>
    line.replaceAll('.', '\\.').replace('**/', '(?:.*/)?').replace(/\*$/, '[^/]*'),
  )
  const pattern = new RegExp(`^(?:${patterns.join('|')})$`)
  const isCopied = (path: string): boolean => !pattern.test(relative(root, path))
  cpSync(root, folder, { recursive: true, filter: isCopied })
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const commands = [...dockerfile.matchAll(/^RUN ((?:.*\\\n)*.*)/gm)].map(([, command]) => command)
  assert.equal(commands.length, 2)
  const script = [
    'export npm_config_prefix="$PWD/global"',
    ...commands,
    'global/bin/formwire-server --version',
  ]
  assert.match(await run('sh', ['-ec', script.join('\n')], folder), /\d+\.\d+\.\d+\n$/)
  console.log('Dockerfile: passed')
}
