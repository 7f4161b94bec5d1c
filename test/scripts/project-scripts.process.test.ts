/** Scripts of package.json that no other test and no gate runs as a developer does. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../support/temporary.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** Runs a script by its name. Programs in `folder` come before those of the PATH. */
function run(name: string, args: readonly string[], folder: string): string {
  const [program = '', ...given] = (scripts[name] ?? '').split(' ')
  return execFileSync(join(root, 'node_modules/.bin', program), [...given, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

describe('pnpm addresses', () => {
  it('lists each file with an address of the project, and how many it has', () => {
    const lines = run('addresses', [], temporaryDirectory()).trimEnd().split('\n')
    const counts = new Map(lines.map((line) => line.split('\t').reverse() as [string, string]))
    expect(counts.size).toBe(lines.length)
    expect(counts.get('packages/sdk/package.json')).toBe('4')
    expect(counts.has('packages/sdk/README.md')).toBe(true)
    expect(counts.has('project.json')).toBe(false)
  })
})

describe('pnpm package-sbom', () => {
  /** In place of pnpm and npm, which need a build and the registry. `.ci/run` runs the script with the real ones. */
  function programs(npm: string): { folder: string; log: string } {
    const folder = temporaryDirectory()
    const log = join(folder, 'log')
    const write = (name: string, text: string) =>
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    const tarballs = ['cli', 'contract', 'reference-server', 'sdk', 'sync', 'webhook-verify']
      .map((name) => `"$4/formwire-${name}-1.0.0.tgz"`)
      .join(' ')
    write('npx', `echo "$3" >>'${log}'; mkdir "$4"; touch ${tarballs}`)
    write('npm', `echo "npm $1 $#" >>'${log}'; pwd >'${folder}/where'; ${npm}`)
    return { folder, log }
  }

  it('writes the bill of an installation of every published package, and removes the installation', () => {
    const { folder, log } = programs(`[ "$1" = install ] || echo '{"bomFormat":"CycloneDX"}'`)
    const file = join(folder, 'formwire.cdx.json')
    run('package-sbom', [file], folder)
    expect(readFileSync(file, 'utf8')).toBe('{"bomFormat":"CycloneDX"}\n')
    expect(readFileSync(log, 'utf8').split('\n')).toEqual([
      'tarballs',
      // Three options, and a tarball of each.
      'npm install 10',
      'npm sbom 3',
      '',
    ])
    expect(existsSync(readFileSync(join(folder, 'where'), 'utf8').trim())).toBe(false)
  })

  it('writes nothing when an installation fails', () => {
    const { folder } = programs('exit 1')
    const file = join(folder, 'formwire.cdx.json')
    expect(() => run('package-sbom', [file], folder)).toThrow('Command failed')
    expect(existsSync(file)).toBe(false)
    expect(existsSync(readFileSync(join(folder, 'where'), 'utf8').trim())).toBe(false)
  })

  it('requires the name of the file', () => {
    expect(() => run('package-sbom', [], temporaryDirectory())).toThrow(
      'Name the file to write: package-sbom FILE.',
    )
  })
})
