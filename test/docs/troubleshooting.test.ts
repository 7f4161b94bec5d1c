/** docs/how-to/troubleshooting.md has a section for each error with a code, and the texts that it quotes are those of the sources. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as sdk from '@formwire/sdk'
import { ERROR_CODES, WebhookVerificationError } from '@formwire/webhook-verify'
import { describe, expect, it } from 'vitest'
import { helpUrlOf } from '../../packages/cli/src/report.ts'
import { ERROR_STATUS } from '../../packages/contract/src/index.ts'
import { HELP, UsageError } from '../../packages/reference-server/src/bin/arguments.ts'
import { StoreError } from '../../packages/sync/src/index.ts'
import { anchorsOf } from '../../scripts/docs/markdown.ts'
import { manifestOf, PROJECT, PUBLISHED, read, root } from '../../scripts/project/project.ts'

const page = read('docs/how-to/troubleshooting.md')
const anchors = anchorsOf(page)
const URL_OF_PAGE = `${PROJECT.homepage}/how-to/troubleshooting.html`

const sourceFilesOf = (name: string): string[] =>
  readdirSync(join(root, `packages/${name}/src`), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `packages/${name}/src/${path}`)
const sourcesOf = (name: string): string => sourceFilesOf(name).map(read).join('\n')

/** Error classes that no caller of a package receives. */
const INTERNAL = new Map([
  ['AttemptFailure', 'becomes the error of an attempt in the delivery log'],
  ['CaseSkipped', 'becomes a skipped case of the conformance report'],
  ['DefinitionError', 'becomes a 422, or an issue of a SeedError'],
  ['Failure', 'is printed by the CLI, with the URL of its code'],
  ['Interrupted', 'ends the job of a fleet, which another one continues'],
  ['RequestTimeout', 'becomes a Failure of the CLI'],
  ['RuleViolation', 'becomes a failed case of the conformance report'],
  ['SnapshotError', 'becomes a 422, or an OptionError'],
  ['Stopped', 'ends a command without an error'],
])

const without = (codes: Iterable<string>): string[] =>
  [...new Set(codes)].filter((code) => !anchors.has(code))
const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, code]) => code as string)

describe('docs/how-to/troubleshooting.md', () => {
  it('has a section for each error class of the SDK', () => {
    const classes = Object.values(sdk).filter((value) => typeof value === 'function' && 'kind' in value)
    expect(classes.length).toBeGreaterThan(15)
    expect(without(classes.map(({ name }) => name))).toEqual([])
    expect(without(found(sourcesOf('sdk'), /static override readonly kind: string = '(\w+)'/g))).toEqual([])
  })

  it('has a section for each code of webhook-verify, with its meaning', () => {
    expect(without(Object.keys(ERROR_CODES))).toEqual([])
    for (const { meaning } of Object.values(ERROR_CODES))
      expect(page.replaceAll('\n', ' ')).toContain(meaning.replace(/\.$/, ''))
  })

  it('has a section for each code of sync', () => {
    const [, union = ''] =
      /export type StoreErrorCode =([\s\S]*?)\n\n/.exec(read('packages/sync/src/errors.ts')) ?? []
    const codes = found(union, /\| '(\w+)'/g)
    expect(codes).toHaveLength(11)
    expect(without(codes.map((code) => `database_${code}`))).toEqual([])
  })

  it('has a section for each code of the CLI', () => {
    const source = sourcesOf('cli')
    const codes = [
      ...found(source, /\bcode: (?:\w+ \?\? )?'([a-z_]+)'/g),
      ...found(source, /\b(?:failed|notAllowed)\(\s*'([a-z_]+)'/g),
      ...found(source, /refused\([^\n]*, '([a-z_]+)'\)/g),
      ...found(read('packages/cli/src/types/stamp.ts'), /^ +'([a-z_]+)',$/gm),
      ...Object.keys(ERROR_STATUS),
    ]
    expect(new Set(codes).size).toBeGreaterThan(30)
    expect(without(codes)).toEqual([])
  })

  it('has a section for each code of a start of the server', () => {
    const [, union = ''] =
      /export type UsageCode =([\s\S]*?)\n\n/.exec(read('packages/reference-server/src/bin/arguments.ts')) ??
      []
    const codes = found(union, /'(\w+)'/g)
    expect(codes).toHaveLength(6)
    expect(without(codes)).toEqual([])
  })

  it('has the range of each peer dependency', () => {
    const rows = PUBLISHED.flatMap((name) => {
      const { name: title, peerDependencies } = manifestOf(name)
      const peers = Object.entries((peerDependencies ?? {}) as Record<string, string>).map(
        ([peer, range]) => `${peer} \`${range.replaceAll(' || ', '` or `')}\``,
      )
      return peers.length > 0 ? [`| \`${title}\` | ${peers.join(', ')} |`] : []
    })
    expect(found(page, /^(\| `@formwire\/.*)$/gm).sort()).toEqual(rows.sort())
  })

  it('is where errors lead to', () => {
    const urls = [
      new sdk.UsageError('x').helpUrl,
      new WebhookVerificationError('no_match', 'x').helpUrl,
      new StoreError('x', 'locked').helpUrl,
      new UsageError('x', 'port_in_use').helpUrl,
      helpUrlOf('http_502'),
    ]
    expect(urls).toEqual(
      ['UsageError', 'no_match', 'database_locked', 'port_in_use', 'http_status'].map(
        (anchor) => `${URL_OF_PAGE}#${anchor}`,
      ),
    )
    expect(HELP).toContain(URL_OF_PAGE)
    const classes = [
      ...['CheckpointError', 'ExpectationError', 'InvalidSpanError', 'OptionError', 'PackageError'],
      ...['ReceiverUnreachableError', 'SeedError', 'ServiceError', 'UnknownFormsError', 'http_status'],
    ]
    expect(without(classes)).toEqual([])
  })

  it('is where every error class leads to', async () => {
    const files = PUBLISHED.flatMap(sourceFilesOf)
    const declared = files.flatMap((path) =>
      found(read(path), /^(?:export )?class (\w+) extends \w*Error\b/gm).map((name) => ({ path, name })),
    )
    expect(declared.length).toBeGreaterThan(35)
    const unknown = [...INTERNAL.keys()].filter((name) => !declared.some((one) => one.name === name))
    expect(unknown).toEqual([])
    for (const { path, name } of declared.filter((one) => !INTERNAL.has(one.name))) {
      const { [name]: Class } = await import(join(root, path))
      expect(Class?.prototype, `${path}: ${name} has no helpUrl`).toHaveProperty('helpUrl')
    }
  })
})
