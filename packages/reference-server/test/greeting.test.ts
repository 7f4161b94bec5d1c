import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { cliCommand, greeting } from '../src/bin/greeting.ts'
import { createReferenceServer } from '../src/server.ts'

function folderWith(path: string): string {
  const folder = temporaryDirectory()
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), '')
  return folder
}

const withToken = (adminToken: string) => createReferenceServer({ seed: 'empty', adminToken })

describe('the commands that the server suggests at startup', () => {
  const commands = (cli?: string, server = withToken('token')): string[] =>
    greeting(server, 'http://127.0.0.1:8787', { cli })
      .split('\n')
      .filter((line) => /^ .*(?:formwire |FORMWIRE)/.test(line))

  it.each(['npx formwire', 'formwire'])('run the CLI as %s', (cli) => {
    expect(commands(cli)).toEqual([
      `  ${cli} login --base-url http://127.0.0.1:8787   # paste the write key`,
      `  FORMWIRE_ADMIN_TOKEN=token ${cli} deliveries tail`,
    ])
  })
  it('quote a token of the user for the shell', () => {
    expect(commands('formwire', withToken("it's$5"))[1]).toMatch(
      /^ {2}FORMWIRE_ADMIN_TOKEN='it'\\''s\$5' formwire /,
    )
  })
  it('come after the links and the keys', () => {
    const server = withToken('token')
    const lines = greeting(server, 'http://127.0.0.1:8787', { isTerminal: true }).split('\n')
    const url = /http:\/\/127\.0\.0\.1:8787\/_app\/console#code=\w+/.source
    expect(lines[2]).toMatch(new RegExp(`^ {2}\\S+➜\\S+ {2}console {6}\u001b\\[36m${url}\u001b`))
    expect(lines.slice(3, 8).map((line) => line.replace(/svc_\w+/, 'svc_…').slice(0, 27))).toEqual([
      expect.stringContaining('API'),
      '',
      '     write key    svc_…',
      '     read key     svc_…',
      '     admin token  token',
    ])
  })
  it('do not run a CLI that is not installed', () => {
    expect(commands()).toEqual([])
  })
})

describe('how to run the CLI', () => {
  const project = folderWith('node_modules/.bin/formwire')
  const onPath = folderWith('formwire')

  it('is npx in a project that has it, and in the folders below', () => {
    expect(cliCommand(project)).toBe('npx formwire')
    expect(cliCommand(join(project, 'a', 'b'), onPath)).toBe('npx formwire')
  })
  it('is its name where it is on the PATH, other than by npx', () => {
    const bin = join(project, 'node_modules', '.bin')
    expect(cliCommand(temporaryDirectory(), [bin, onPath].join(delimiter))).toBe('formwire')
    expect(cliCommand(temporaryDirectory(), bin)).toBeUndefined()
  })
  it('is unknown elsewhere: npx would look for a package of that name', () => {
    expect(cliCommand(temporaryDirectory())).toBeUndefined()
  })
})
