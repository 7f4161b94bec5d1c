import { spawnSync } from 'node:child_process'
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { beforeAll, describe, type ExpectStatic, inject, it } from 'vitest'
import { startPostgres } from '../../packages/sync/test/support/postgres-server.ts'
import { blocksOf } from '../../scripts/docs/markdown.ts'
import { read, root } from '../../scripts/project/project.ts'
import { bundled } from '../support/bundled.ts'
import { propertyRuns } from '../support/cases.ts'
import { goProgram } from '../support/go.ts'
import { node22 } from '../support/node-22.ts'
import { startProgram } from '../support/spawn.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** Two hundred of each example take two cores six minutes, so that `.ci/run` says `FORMWIRE_REHEARSALS=3`. */
const RUNS = propertyRuns(Number(process.env.FORMWIRE_REHEARSALS ?? 200))
/** Of a promise beyond that of the README. */
const FURTHER_RUNS = Math.ceil(RUNS / 10)
/** Responses of a run: few, since most of it is the time in which programs start. */
const RESPONSES = 6
const { FORMWIRE_PROPERTY_RUNS, FORMWIRE_PROPERTY_SEED = FORMWIRE_PROPERTY_RUNS ? 'random' : '20261126' } =
  process.env

/** An example that handles responses. */
interface Example {
  /** Where its command runs, below `examples`. */
  readonly folder: string
  /** Page with the command, and what distinguishes it from others there. */
  readonly page: string
  readonly contains?: string
  /** Source of the program of the command, which starts faster as a bundle. */
  readonly source?: string
  /** Packages from npm that become part of the bundle. */
  readonly inlined?: readonly string[]
  /** The Node that its command runs on. @default that of the suite */
  readonly node?: string
  /** Rehearsals at a time, each with a part of the runs, since a run mostly waits. @default 2 */
  readonly parts?: number
  /** A program of the command that is built from the folder first. */
  readonly build?: string
  /** Another promise than the command checks. */
  readonly instead?: readonly [text: string, other: string]
}

const receiver = (language: string, contains: string): Example => ({
  folder: `receivers/${language}`,
  page: 'receivers',
  contains,
})
const typescript = (folder: string): Example => ({
  folder,
  page: folder,
  source: 'src/main.ts',
})
const PYTHON_CLIENT: Example = {
  folder: 'clients/python',
  page: 'clients',
  contains: 'follow.py',
  // Two pages, so that what moves between them shows.
  instead: ['INTERVAL=0.1', 'PER_PAGE=5 INTERVAL=0.1'],
}
const GO_CLIENT: Example = {
  folder: 'clients/go',
  page: 'clients',
  contains: '/poll"',
  build: '$OLDPWD/poll',
}

/** Prints what is no id unless each response was counted once, in the transaction of its row. */
const UNEQUAL_COUNTS =
  'UNION ALL SELECT -1 WHERE (SELECT count(*) FROM formwire_responses) <> (SELECT total(responses) FROM responses_by_day)'

const RECEIVERS: readonly Example[] = [
  { ...typescript('express-receiver'), inlined: ['express'] },
  receiver('python', 'receiver.py'),
  receiver('ruby', 'receiver.rb'),
  receiver('php', 'receiver.php'),
  { ...receiver('go', './receiver'), build: './receiver' },
]
const POLLERS: readonly Example[] = [
  {
    ...typescript('fleet'),
    node: node22,
    parts: 4,
  },
  typescript('polling'),
  {
    ...typescript('sync-to-sqlite'),
    instead: ['deleted_at IS NULL"', `deleted_at IS NULL ${UNEQUAL_COUNTS}"`],
  },
]
/** They print, which cannot be undone: a kill between printing a response and saving the position repeats it. */
const PRINTING: readonly Example[] = [PYTHON_CLIENT, GO_CLIENT]

/** Several at a time, since a rehearsal mostly waits. */
describe.concurrent('an example under the rehearsal of its README', { timeout: 3_600_000 }, () => {
  const env: Record<string, string> = {}
  beforeAll(async () => {
    const folder = temporaryDirectory()
    const program = join(folder, 'formwire')
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${inject('programs').cli}" "$@"\n`)
    chmodSync(program, 0o755)
    symlinkSync(pythonItself(), join(folder, 'python3'))
    Object.assign(env, { PATH: [folder, process.env.PATH].join(delimiter), HOME: folder, TMPDIR: folder })
    env.PYTHONDONTWRITEBYTECODE = '1'
    const { url, stop } = await startPostgres()
    env.PGHOST = new URL(url).searchParams.get('host') as string
    env.PGUSER = 'postgres'
    return stop
  })

  const run = async (example: Example, expect: ExpectStatic, runs = RUNS): Promise<void> => {
    const folder = join(root, 'examples', example.folder)
    const { parts = 2 } = example
    const runsOfPart = Math.ceil(runs / parts)
    const passed = { passed: runsOfPart, failed: 0, flaky: 0, failure: null }
    const rehearse = async (part: number): Promise<void> => {
      const command = `cd "${folder}"\n${await commandOf(example, runsOfPart, part)}`
      const { stdout, stderr } = await startProgram('sh', ['-c', command], envOf(example), '').finished
      expect(JSON.parse(stdout || JSON.stringify(stderr))).toMatchObject(passed)
    }
    await Promise.all(Array.from({ length: parts }, (_, part) => rehearse(part)))
  }

  const envOf = ({ node }: Example): Record<string, string> =>
    node === undefined ? env : { ...env, PATH: [dirname(node), env.PATH].join(delimiter) }

  for (const example of RECEIVERS) {
    const { folder } = example
    it(`[DLV-10] examples/${folder} handles each response once`, ({ expect }) => run(example, expect))
  }
  for (const example of POLLERS) {
    const { folder } = example
    it(`[POLL-02] examples/${folder} handles each response once`, ({ expect }) => run(example, expect))
  }
  for (const example of PRINTING) {
    const { folder } = example
    it(`[POLL-02] examples/${folder} loses no response`, ({ expect }) => run(example, expect))
    it(`[POLL-01] examples/${folder} repeats no response unless it is killed`, ({ expect }) =>
      run(
        { ...example, instead: ['--expect at-least-once', '--without kill terminate'] },
        expect,
        FURTHER_RUNS,
      ))
  }
})

/** Returns the path of Python, which a version manager on the PATH takes several times as long to start. */
const pythonItself = (): string =>
  spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout.trim()

/** Returns the command of the page, with programs that start fast and the runs of a part of this test. */
async function commandOf(example: Example, runs: number, part: number): Promise<string> {
  const { folder, page, contains = '', source, inlined, build, instead } = example
  const readme = read(`examples/${page}/README.md`)
  const block = blocksOf(readme).find(
    ({ code }) => code.includes('formwire rehearse') && code.includes(contains),
  )
  const code = block?.code ?? ''
  let command = code.slice(code.indexOf('formwire rehearse'))
  const replace = (text: string, other: string): void => {
    if (!command.includes(text)) throw new Error(`${page}: no "${text}" in ${command}`)
    command = command.replaceAll(text, other)
  }
  if (source) {
    const bundle = await bundled(new URL(`../../examples/${folder}/${source}`, import.meta.url), inlined)
    replace(`--import tsx --conditions=@formwire/source ${source}`, `"${bundle}"`)
  }
  if (build) replace(build, goProgram(folder))
  if (instead) replace(...instead)
  const seed = FORMWIRE_PROPERTY_SEED === 'random' ? '' : ` --seed ${Number(FORMWIRE_PROPERTY_SEED) + part}`
  replace('formwire rehearse', `formwire rehearse --json --responses ${RESPONSES} --runs ${runs}${seed}`)
  return command
}
