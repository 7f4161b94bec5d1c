/**
 * Grades a folder: `node grade.mjs TASK [FOLDER] [--json]`. Exits with 0 if it passes, 1 if it does not, 2 for a usage error. With `--open`, starts
 * the world of a task that has one, for looking around.
 */
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openWorkbench, Unmet } from './workbench.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const tasks = readdirSync(here).filter((name) => existsSync(join(here, name, 'TASK.md')))

const INTERRUPTED = 130

/** Wrong usage, or something that is not installed. */
class UsageError extends Error {}

/** Ends a grading early: what comes after the unmet criterion cannot be checked. */
class Stop extends Error {}

/** Criteria of a task in order, and what became of each. */
class Report {
  /** @param {string} statement The task, whose last table has a criterion in each row. */
  constructor(statement) {
    const rows = [...statement.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)]
    const reason = 'another criterion must pass first'
    this.results = rows.map(([, id, wanted]) => ({ id, wanted, status: 'skipped', reason }))
  }

  /** Checks a criterion. Returns what `work` returns, or `undefined` when the criterion is not met. */
  check = async (id, work) => {
    const result = this.results.find((one) => one.id === id)
    try {
      const value = await work()
      Object.assign(result, { status: 'passed', reason: null })
      return value
    } catch (error) {
      if (!(error instanceof Unmet)) throw error
      Object.assign(result, { status: 'failed', reason: error.message })
      return undefined
    }
  }

  /** Checks a criterion that the others build on. */
  must = async (id, work) => {
    const value = await this.check(id, work)
    if (this.#hasFailed()) throw new Stop()
    return value
  }

  /** Checks a criterion that takes long, unless an earlier one has failed. */
  last = async (id, work) => (this.#hasFailed() ? undefined : await this.check(id, work))

  /** Fails the first criterion that was not checked: what it needs could not be done. */
  failNext(reason) {
    const next = this.results.find(({ status }) => status === 'skipped')
    Object.assign(next, { status: 'failed', reason })
  }

  #hasFailed = () => this.results.some(({ status }) => status === 'failed')
}

/** Opens a folder, and closes it after the work or an interruption. Returns what `work` returns, or `undefined` if it was interrupted. */
async function withBench(task, folder, work) {
  const bench = await openWorkbench(join(here, task, 'start'), folder)
  const interrupted = once(process, 'SIGINT').then(() => undefined)
  try {
    return await Promise.race([work(bench), interrupted])
  } finally {
    await bench.close()
  }
}

async function gradeFolder(task, folder, isJson) {
  const { grade } = await import(`./${task}/criteria.mjs`)
  const report = await withBench(task, folder, async (bench) => {
    const report = new Report(readFileSync(join(here, task, 'TASK.md'), 'utf8'))
    try {
      await grade(bench, report)
    } catch (error) {
      if (error instanceof Unmet) report.failNext(error.message)
      else if (!(error instanceof Stop)) throw error
    }
    return report
  })
  if (!report) return INTERRUPTED
  const { results } = report
  const passed = results.every(({ status }) => status === 'passed')
  if (isJson) console.log(JSON.stringify({ task, folder, passed, criteria: results }))
  else for (const result of results) console.log(lineOf(result))
  return passed ? 0 : 1
}

const MARKS = { passed: '✓', failed: '✗', skipped: '–' }

const lineOf = ({ id, wanted, status, reason }) =>
  `${MARKS[status]} ${id}: ${wanted}${reason === null ? '' : `\n    ${status}: ${reason}`}`

/** Starts the world of a task, prints its variables, and keeps it until Ctrl-C. */
async function openWorld(task, folder) {
  const { open } = await import(`./${task}/criteria.mjs`)
  if (!open) throw new UsageError(`${task} has no world to look around in`)
  await withBench(task, folder, async (bench) => {
    const { env } = await open(bench)
    console.log(`cd '${bench.folder}'`)
    for (const [name, value] of Object.entries(env)) console.log(`export ${name}='${value}'`)
    await new Promise(() => undefined)
  })
  return 0
}

async function main() {
  const flag = { type: 'boolean', default: false }
  const { values, positionals } = parseArgs({ options: { json: flag, open: flag }, allowPositionals: true })
  const [task, given, ...others] = positionals
  if (task === undefined || others.length > 0)
    throw new UsageError(`usage: node grade.mjs TASK [FOLDER] [--json | --open]\ntasks: ${tasks.join(', ')}`)
  if (!tasks.includes(task)) throw new UsageError(`unknown task "${task}"; tasks: ${tasks.join(', ')}`)
  const folder = resolve(given ?? join(here, task, 'start'))
  if (!existsSync(folder)) throw new UsageError(`there is no folder ${folder}`)
  return values.open ? await openWorld(task, folder) : await gradeFolder(task, folder, values.json)
}

try {
  process.exitCode = await main()
} catch (error) {
  // A folder can fail, but not break, its grader: what is left is wrong usage, or a machine that lacks something.
  const isUsage = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS')
  console.error(isUsage ? error.message : error)
  process.exitCode = 2
}
