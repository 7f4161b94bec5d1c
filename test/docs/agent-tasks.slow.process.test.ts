/** Grades what is in `examples/agent-tasks`: solutions pass, start folders and wrong solutions fail, each by the criterion that it is wrong in. */
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, type ExpectStatic, inject, it } from 'vitest'
import { bundled } from '../support/bundled.ts'
import { WAIT_MS } from '../support/patience.ts'
import { hasProgram } from '../support/programs.ts'
import { type Finished, type Spawned, startProgram } from '../support/spawn.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const examples = fileURLToPath(new URL('../../examples/agent-tasks/', import.meta.url))

/** A task, and the criterion that each folder which must fail is meant to fail. */
interface Task {
  readonly start: string
  readonly wrong: Readonly<Record<string, string>>
  /** Programs beside Node. */
  readonly needs?: readonly string[]
}

const TASKS: Readonly<Record<string, Task>> = {
  'express-receiver': {
    start: 'accepts-genuine',
    wrong: {
      'dedupe-by-delivery-id': 'handles-once',
      'dedupe-in-memory': 'survives-restarts',
      'no-age-check': 'refuses-stale',
    },
  },
  'verify-before-parse': {
    start: 'accepts-any-json',
    wrong: {
      'default-limit': 'accepts-large',
      'raw-everywhere': 'keeps-json-routes',
      'warns-and-accepts': 'refuses-forged',
    },
  },
  'poll-without-loss': {
    start: 'books-all',
    wrong: {
      'first-page': 'many-pages',
      'position-before-work': 'survives-kills',
      'reads-everything': 'reads-what-is-new',
      'since-plus-one': 'same-instant',
    },
  },
  'rotate-secret': {
    start: 'accepts-current',
    wrong: {
      'acknowledges-everything': 'refuses-unknown',
      'never-forgets': 'refuses-removed',
      'newest-only': 'accepts-both',
    },
  },
  'sync-to-sqlite': {
    start: 'new-responses',
    wrong: {
      'compares-counts': 'same-count',
      'insert-only': 'deletions',
      'reloads-everything': 'idle-cost',
    },
  },
  'failing-deliveries': {
    start: 'endpoint-active',
    wrong: {
      'new-endpoint': 'failed-recovered',
      'replays-only': 'unsent-recovered',
      'verification-off': 'still-verifies',
    },
  },
  'survive-api-errors': {
    start: 'server-errors',
    wrong: {
      'errors-are-empty': 'server-errors',
      'retries-at-once': 'waits-retry-after',
      'retries-everything': 'ends-on-401',
    },
    needs: ['python3'],
  },
  'export-with-drafts': {
    start: 'all-submitted',
    wrong: {
      'no-dedupe': 'moving-drafts',
      'submitted-first': 'moving-drafts',
      'submitted-only': 'all-drafts',
      'writes-as-it-reads': 'failure-keeps-file',
    },
  },
  'erase-respondent': {
    start: 'erases-submitted',
    wrong: {
      'deletes-while-paging': 'erases-submitted',
      'fails-on-404': 'survives-deletions',
      'forgets-drafts': 'erases-drafts',
      'similar-addresses': 'keeps-others',
    },
  },
  'queue-worker': {
    start: 'posts-all',
    wrong: {
      'claims-for-ever': 'survives-kills',
      'looks-then-claims': 'two-workers',
      'marks-afterwards': 'survives-kills',
    },
    needs: ['python3'],
  },
}

interface Grading {
  readonly passed: boolean
  readonly criteria: readonly { readonly id: string; readonly status: 'passed' | 'failed' | 'skipped' }[]
}

/** Several at a time, since a grading mostly waits. */
describe.concurrent('examples/agent-tasks', { timeout: 300_000 }, () => {
  it('has a solution, and at least two wrong ones, of each task of this test', ({ expect }) => {
    const folders = readdirSync(examples, { withFileTypes: true })
    const tasks = folders.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    expect(tasks.map(({ name }) => name).sort()).toEqual(Object.keys(TASKS).sort())
    for (const [task, { wrong }] of Object.entries(TASKS)) {
      expect(Object.keys(wrong)).toEqual(readdirSync(join(examples, task, 'wrong')).sort())
      expect(Object.keys(wrong).length).toBeGreaterThanOrEqual(2)
    }
  })

  it('exits with 2 for an unknown task, a folder that is missing, and a third argument', async ({
    expect,
  }) => {
    for (const args of [
      [],
      ['no-task'],
      ['queue-worker', '/no/folder'],
      ['queue-worker', '.', '.'],
      ['--no'],
    ]) {
      const { code, stdout, stderr } = await run(args)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(
        /^(?:usage: |unknown task "no-task"; |there is no folder |Unknown option '--no')/,
      )
    }
  })

  it('fails a program that ends with its first delivery, and does not fail itself', async ({ expect }) => {
    const folder = temporaryDirectory()
    const server = `
      import { createServer } from 'node:http'
      createServer(() => process.exit(7)).listen(process.env.PORT, '127.0.0.1')`
    writeFileSync(join(folder, 'server.mjs'), server)
    const { code, stdout } = await run(['verify-before-parse', folder, '--json'])
    expect(code).toBe(1)
    const { criteria } = JSON.parse(stdout) as Grading
    expect(criteria.slice(0, 2)).toMatchObject([
      { id: 'starts', status: 'passed' },
      { id: 'accepts-any-json', status: 'failed' },
    ])
  })

  it('--open keeps the world of a task, and its variables lead to it, until an interruption', async ({
    expect,
  }) => {
    const world = startGrader(['failing-deliveries', await prepared('failing-deliveries', 'start'), '--open'])
    await expect.poll(() => world.stdout, { timeout: WAIT_MS }).toContain('export PATH=')
    const list = 'formwire deliveries list "$FORMWIRE_FORM_ID" 1 --json status,http_status'
    const { stdout } = await startProgram('sh', ['-c', [world.stdout, list].join('\n')], {}, '').finished
    expect(JSON.parse(stdout)).toEqual(Array(2).fill({ status: 'failed', http_status: 401 }))
    world.child.kill('SIGINT')
    expect(await world.finished).toMatchObject({ code: 0, stderr: '' })
    const [, folder = ''] = /^cd '(.*)'$/m.exec(world.stdout) ?? []
    expect([folder.length > 0, existsSync(folder)]).toEqual([true, false])
    expect((await run(['queue-worker', '--open'])).code).toBe(2)
  })

  for (const [task, { start, wrong, needs = [] }] of Object.entries(TASKS)) {
    const grades = it.runIf(needs.every(hasProgram))
    grades(`${task}: the solution passes`, async ({ expect }) => {
      const { passed, criteria } = await grade(task, 'solution', expect)
      expect(criteria.filter(({ status }) => status !== 'passed')).toEqual([])
      expect(passed).toBe(true)
    })
    const folders = {
      start,
      ...Object.fromEntries(Object.entries(wrong).map(([name, id]) => [`wrong/${name}`, id])),
    }
    for (const [folder, criterion] of Object.entries(folders)) {
      grades(`${task}: ${folder} fails ${criterion}`, async ({ expect }) => {
        const { passed, criteria } = await grade(task, folder, expect)
        expect(passed).toBe(false)
        expect(criteria).toContainEqual(expect.objectContaining({ id: criterion, status: 'failed' }))
        // What a wrong solution gets right does not hide what it is meant to show.
        if (folder !== 'start') expect(criteria.find(({ status }) => status === 'failed')?.id).toBe(criterion)
      })
    }
  }
})

async function grade(task: string, folder: string, expect: ExpectStatic): Promise<Grading> {
  const { code, stdout, stderr } = await run([task, await prepared(task, folder), '--json'])
  expect([0, 1], stderr).toContain(code)
  const grading = JSON.parse(stdout) as Grading
  expect(code).toBe(grading.passed ? 0 : 1)
  return grading
}

const startGrader = (args: readonly string[]): Spawned => {
  const env = { FORMWIRE_CLI: inject('programs').cli, TMPDIR: temporaryDirectory() }
  return startProgram(process.execPath, [join(examples, 'grade.mjs'), ...args], env, '')
}

const run = (args: readonly string[]): Promise<Finished> => startGrader(args).finished

/** Returns a folder whose programs have the sources of the packages in them, since nothing is built. */
async function prepared(task: string, folder: string): Promise<string> {
  const work = temporaryDirectory()
  for (const source of ['start', folder]) cpSync(join(examples, task, source), work, { recursive: true })
  symlinkSync(join(examples, 'node_modules'), join(work, 'node_modules'))
  for (const name of readdirSync(work).filter((file) => file.endsWith('.mjs'))) {
    const path = join(work, name)
    if (readFileSync(path, 'utf8').includes("from '@formwire/"))
      cpSync(await bundled(pathToFileURL(path)), path)
  }
  return work
}
