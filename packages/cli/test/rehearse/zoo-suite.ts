import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, it } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { STORIES } from './zoo-stories.ts'

/** Rehearsals of each program without a bug, which `.ci/run` sets: then the bugs that have a story are played instead of searched for. */
const { FORMWIRE_REHEARSALS: RUNS } = process.env
const CORRECT_RUNS = Number(RUNS ?? 5)

/** A program of the zoo, the options that find its bug soon, and what is found. */
export type Bug = readonly [
  file: string,
  only: string,
  verdict: string,
  likely: string | RegExp,
  options?: readonly string[],
  handled?: string,
]

/** A program without a bug, its options, and the command that prints what it has handled. */
export type Correct = readonly [file: string, options?: readonly string[], handled?: string]

/** Prints the ids in a table of SQLite. */
export const IDS_OF_DATABASE = `python3 -c "import sqlite3
for (id,) in sqlite3.connect('responses.db').execute('select id from responses'): print(id)"`

const IDS_OF_LINES = 'touch handled.txt; cut -d" " -f1 handled.txt'

/** Rehearses a program of the zoo with the built CLI. */
async function rehearse(path: string, options: readonly string[], handled = IDS_OF_LINES) {
  const url = new URL(`zoo/${path}`, import.meta.url)
  const command = path.endsWith('.py') ? ['python3', fileURLToPath(url)] : ['node', await bundled(url)]
  const argv = [inject('programs').cli, 'rehearse', '--json', '--handled', handled, ...options]
  const env = { HOME: temporaryDirectory(), PYTHONDONTWRITEBYTECODE: '1' }
  const { code, stdout, stderr } = await start([...argv, '--', ...command], env, '').finished
  return { code, stderr, report: stdout === '' ? undefined : JSON.parse(stdout) }
}

/** Finds the bug of each program, and nothing wrong with those without one. `webhook`: options of all of them. */
export function rehearseZoo(
  bugs: readonly Bug[],
  correct: readonly Correct[],
  webhook: readonly string[] = [],
): void {
  it.concurrent.for(bugs)(
    'finds the bug of %s',
    async ([file, only, verdict, likely, options = [], handled], { expect }) => {
      const story = RUNS === undefined ? undefined : STORIES[file]
      const schedule = join(temporaryDirectory(), `${file}.json`)
      if (story) writeFileSync(schedule, JSON.stringify({ version: 1, steps: [], ...story }))
      const soon = story
        ? ['--schedule', schedule]
        : ['--only', only, '--profile', 'harsh', '--responses', '6', '--seed', '1']
      const { code, report, stderr } = await rehearse(
        `bugs/${file}`,
        [...webhook, ...options, ...soon, '--runs', '100'],
        handled,
      )
      expect({ code, stderr, ...report?.failure }).toMatchObject({
        code: 1,
        verdict,
        likely: typeof likely === 'string' ? likely : expect.stringMatching(likely),
      })
    },
  )

  it.concurrent.for(correct)(
    'finds nothing wrong with %s',
    async ([file, options = [], handled], { expect }) => {
      const { code, report } = await rehearse(
        `correct/${file}`,
        [...webhook, ...options, '--runs', String(CORRECT_RUNS), '--seed', '1'],
        handled,
      )
      expect({ code, ...report }).toMatchObject({ code: 0, passed: CORRECT_RUNS, failed: 0, flaky: 0 })
    },
  )
}
