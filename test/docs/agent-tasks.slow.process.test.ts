/** Grades what is in `examples/agent-tasks`: solutions pass; start folders and wrong solutions fail, each by the criteria that it is wrong in. */

import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, type ExpectStatic, inject, it } from 'vitest'
import { root } from '../../scripts/project/project.ts'
import { bundled } from '../support/bundled.ts'
import { WAIT_MS } from '../support/patience.ts'
import { type Finished, type Spawned, startProgram } from '../support/spawn.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const examples = join(root, 'examples/agent-tasks')

/** A wrong solution: the criteria that it fails, the first of all first, and texts of the solution with what replaces them. */
type Wrong = readonly [criteria: readonly string[], ...edits: readonly [text: string, other: string][]]

interface Task {
  readonly program: string
  /** The criterion that the start folder fails. */
  readonly start: string
  readonly wrong: Readonly<Record<string, Wrong>>
}

const TASKS: Readonly<Record<string, Task>> = {
  'express-receiver': {
    program: 'server.mjs',
    start: 'accepts-genuine',
    wrong: {
      'parses before it verifies': [
        ['accepts-genuine'],
        ["app.post(\n  '/webhooks'", 'app.use(express.json())\n$&'],
      ],
      'accepts deliveries of any age, and remembers in memory': [
        ['refuses-stale', 'survives-restarts'],
        ['    on: {', '    toleranceSeconds: 1e9,\n$&'],
        ['new Set(stored().map(({ form, id }) => keyOf(form, id)))', 'new Set()'],
      ],
      'dedupes by delivery id': [
        ['handles-once'],
        ['{ form, response })', '{ form, response, deliveryId })'],
        ['keyOf(form.id, response.id)', 'deliveryId'],
      ],
    },
  },
  'erase-respondent': {
    program: 'erase.mjs',
    start: 'erases-submitted',
    wrong: {
      'deletes while it turns pages': [
        ['erases-submitted'],
        [
          'for await (const { id, email } of formwire.responses.list(form.id, { status, per_page: 100 }))',
          'for (let page = 1; page < 9; page += 1) for (const { id, email } of (await formwire.responses.list(form.id, { status, page })).data)',
        ],
        ['found.push({ form: form.id, id })', 'await formwire.responses.delete(form.id, id)'],
      ],
      'forgets drafts, takes similar addresses, and ends with a response that is gone': [
        ['erases-drafts', 'keeps-others', 'survives-deletions'],
        ["['in_progress', 'submitted']", "['submitted']"],
        ['toLowerCase() === person', 'toLowerCase().startsWith(person)'],
        ['if (!(error instanceof NotFoundError)) throw error', 'throw error'],
      ],
    },
  },
  'failing-deliveries': {
    program: 'repair.mjs',
    start: 'endpoint-active',
    wrong: {
      'replays nothing': [['failed-recovered'], ["status === 'failed'", 'false']],
      'knows only the log, and turns verification off': [
        ['unsent-recovered', 'still-verifies'],
        ['!logged.has(response.id)', 'false'],
        ['verify: true', 'verify: false'],
      ],
    },
  },
}

interface Grading {
  readonly passed: boolean
  readonly criteria: readonly { readonly id: string; readonly status: 'passed' | 'failed' | 'skipped' }[]
}

/** Several at a time, since a grading mostly waits. */
describe.concurrent('examples/agent-tasks', { timeout: 300_000 }, () => {
  it('fails a program that ends with its first delivery, and does not fail itself', async ({ expect }) => {
    const folder = temporaryDirectory()
    const server = `
      import { createServer } from 'node:http'
      createServer(() => process.exit(7)).listen(process.env.PORT, '127.0.0.1')`
    writeFileSync(join(folder, 'server.mjs'), server)
    const { code, stdout } = await run(['express-receiver', folder, '--json'])
    expect(code).toBe(1)
    const { criteria } = JSON.parse(stdout) as Grading
    expect(criteria.slice(0, 2)).toMatchObject([
      { id: 'starts', status: 'passed' },
      { id: 'accepts-genuine', status: 'failed' },
    ])
  })

  it('--open keeps the world of a task, and its variables lead to it, until an interruption', async ({
    expect,
  }) => {
    const world = startGrader(['failing-deliveries', await prepared('failing-deliveries', 'start'), '--open'])
    await expect.poll(() => world.stdout, { timeout: WAIT_MS }).toContain('export PATH=')
    const list = 'formwire deliveries list "$FORMWIRE_FORM_ID" 1 --json=status,http_status'
    const { stdout } = await startProgram('sh', ['-c', [world.stdout, list].join('\n')], {}, '').finished
    expect(JSON.parse(stdout)).toEqual(Array(2).fill({ status: 'failed', http_status: 401 }))
    world.child.kill('SIGINT')
    expect(await world.finished).toMatchObject({ code: 0, stderr: '' })
    const [, folder = ''] = /^cd '(.*)'$/m.exec(world.stdout) ?? []
    expect([folder.length > 0, existsSync(folder)]).toEqual([true, false])
    expect((await run(['express-receiver', '--open'])).code).toBe(2)
  })

  for (const [task, { program, start, wrong }] of Object.entries(TASKS)) {
    it(`${task}: the solution passes`, async ({ expect }) => {
      const { passed, criteria } = await grade(task, await prepared(task, 'solution'), expect)
      expect(criteria.filter(({ status }) => status !== 'passed')).toEqual([])
      expect(passed).toBe(true)
    })

    it(`${task}: the start folder fails ${start}`, async ({ expect }) => {
      const { passed, criteria } = await grade(task, await prepared(task, 'start'), expect)
      expect(passed).toBe(false)
      expect(criteria).toContainEqual(expect.objectContaining({ id: start, status: 'failed' }))
    })

    for (const [name, [ids, ...edits]] of Object.entries(wrong)) {
      it(`${task}: a program that ${name} fails ${ids.join(', ')}`, async ({ expect }) => {
        const folder = await prepared(task, 'solution', (file, text) =>
          file === program ? edits.reduce((edited, edit) => withEdit(edited, edit), text) : text,
        )
        const { passed, criteria } = await grade(task, folder, expect)
        expect(passed).toBe(false)
        const failed = criteria.filter(({ status }) => status === 'failed').map(({ id }) => id)
        expect(failed).toEqual(expect.arrayContaining([...ids]))
        expect(failed[0]).toBe(ids[0])
      })
    }
  }
})

function withEdit(source: string, [text, other]: readonly [text: string, other: string]): string {
  if (source.split(text).length !== 2) throw new Error(`the solution must have "${text}" once`)
  return source.replace(text, other)
}

async function grade(task: string, folder: string, expect: ExpectStatic): Promise<Grading> {
  const { code, stdout, stderr } = await run([task, folder, '--json'])
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
async function prepared(
  task: string,
  folder: string,
  edit = (_file: string, text: string): string => text,
): Promise<string> {
  const work = temporaryDirectory()
  for (const source of ['start', folder]) cpSync(join(examples, task, source), work, { recursive: true })
  symlinkSync(join(examples, 'node_modules'), join(work, 'node_modules'))
  for (const name of readdirSync(work).filter((file) => file.endsWith('.mjs'))) {
    const path = join(work, name)
    const text = edit(name, readFileSync(path, 'utf8'))
    writeFileSync(path, text)
    if (text.includes("from '@formwire/")) cpSync(await bundled(pathToFileURL(path)), path)
  }
  return work
}
