import { fileURLToPath } from 'node:url'
import { describe, inject, it } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'

const WEBHOOK = ['--webhook', '/webhooks']
const IDS_OF_LINES = 'touch handled.txt; cut -d" " -f1 handled.txt'
const IDS_OF_FILES = "ls | sed -n 's/^response-\\([0-9]*\\)$/\\1/p'"
const IDS_OF_DATABASE = `python3 -c "import sqlite3
for (id,) in sqlite3.connect('responses.db').execute('select id from responses'): print(id)"`
const idsOfJson = (file: string, ids: string): string =>
  `node -p "(${ids})(JSON.parse(fs.readFileSync('${file}'))).join('\\n')" 2>/dev/null || true`

/** A program of the zoo, the options that find its bug soon, and what is found. */
type Bug = readonly [
  file: string,
  only: string,
  verdict: string,
  likely: string | RegExp,
  options?: readonly string[],
  handled?: string,
]

const RECEIVERS: readonly Bug[] = [
  ['acknowledges-first.ts', 'kill', 'lost', 'acknowledged before it was stored: the kill after 200 lost it'],
  [
    'queue-in-memory.py',
    'terminate',
    'lost',
    'acknowledged before it was stored: the SIGTERM after 200 lost it',
  ],
  ['no-dedupe.py', 'fail-after', 'handled_twice', 'does not deduplicate: a retry is the same delivery again'],
  [
    'dedupes-by-delivery.ts',
    'replay',
    'handled_twice',
    'deduplicates by delivery id: a replay has a new one',
    [],
    'touch deliveries.txt; cut -d" " -f1 deliveries.txt',
  ],
  [
    'dedupes-in-memory.py',
    'fail-after,rotate',
    'handled_twice',
    'remembers what it has handled too late, or only in memory: after the restart it is handled again',
  ],
  [
    'check-then-act.ts',
    'duplicate',
    'handled_twice',
    'checks and then acts: two attempts at the same time are both handled, it needs one atomic claim',
  ],
  [
    'remembers-first.ts',
    'kill',
    'lost',
    'remembers before the work is done: the retry is taken for a duplicate',
  ],
  [
    'trusts-order.ts',
    'reorder',
    'lost',
    'takes the order of deliveries for the order of responses: one that arrives late is dropped',
  ],
  ['counts-ping.py', 'delay', 'invented', 'counts the test event (test.ping) as a response'],
  [
    'keeps-secret.ts',
    'rotate',
    'lost',
    'keeps the secret from before its rotation: it refuses every later delivery with 401',
  ],
  [
    'keyed-by-time.ts',
    'same-instant',
    'lost',
    'tells responses apart by their time: several can have the same submitted_at',
  ],
  [
    'two-workers.ts',
    'duplicate',
    'handled_twice',
    // By chance, both attempts reach its two processes at the same time.
    /^does not deduplicate, or each of its processes by itself|it needs one atomic claim$/,
  ],
]

const SINCE_IS_INCLUSIVE =
  '`since` is inclusive: responses at the position come again, and must be dropped by id, by all processes together'

const POLLERS: readonly Bug[] = [
  [
    'since-exclusive.ts',
    'same-instant',
    'lost',
    // A simpler schedule must break twice of two, which another format of timestamps may stay in the story for, by chance.
    /^`since` is inclusive, but it is used as exclusive|^compares timestamps as text/,
  ],
  ['since-repeats.py', 'draft', 'handled_twice', SINCE_IS_INCLUSIVE],
  [
    'compares-text.py',
    'same-instant',
    'lost',
    'compares timestamps as text: their precision and offset can differ',
  ],
  [
    'reads-one-format.py',
    'draft',
    'program_ended',
    'reads timestamps of one format only: their precision and offset can differ (exit code 1: unexpected timestamp)',
  ],
  // As with since-exclusive.ts, another format of timestamps may stay in the story by chance.
  ['two-pollers.py', 'same-instant', 'handled_twice', /^`since` is inclusive|^compares timestamps as text/],
  [
    'stops-at-known.ts',
    'burst',
    'lost',
    // As with since-exclusive.ts, another format of timestamps may stay in the story by chance.
    /^stops at the first response that it knows: a new one moves it to the next page, and a restart finds only the newest handled$|^compares timestamps as text/,
  ],
  ['first-page-only.ts', 'burst', 'lost', 'reads one page alone: what is new can be more'],
  [
    'pages-by-number.py',
    'burst,delete',
    'lost',
    'pages by number while rows are deleted: those behind a deleted one move up',
  ],
  [
    'checkpoint-first.py',
    'kill',
    'lost',
    'saves its position before the work is done: the kill in between lost it',
  ],
  [
    'checkpoint-in-place.ts',
    'kill',
    'program_ended',
    /^cannot read after the kill what it was writing at that moment: write beside it and rename/,
    [],
    idsOfJson('handled.json', '(rows) => rows.map(({ id }) => id)'),
  ],
  [
    'seen-in-memory.ts',
    'kill',
    'handled_twice',
    'remembers what it has handled too late, or only in memory: after the kill it is handled again',
  ],
  [
    'ends-at-429.ts',
    'api-429',
    'program_ended',
    'ends when the API answers 429 (exit code 1: TypeError: unexpected status 429)',
  ],
  [
    'ignores-retry-after.py',
    'api-429',
    'program_ended',
    'ends when the API answers 429 (exit code 1: still rate limited after 3 attempts)',
  ],
  [
    'skips-errors.ts',
    'api-500',
    'lost',
    'moves its position past responses that a failed request did not give',
  ],
  [
    'ends-at-reset.py',
    'outage',
    'program_ended',
    'ends when the service is gone (exit code 1: ConnectionResetError: [Errno 104] Connection reset by peer)',
  ],
  ['counts-drafts.py', 'draft', 'invented', 'takes a draft for a response: drafts may never be submitted'],
  [
    'ids-in-order.ts',
    'draft',
    'lost',
    'expects ids in the order of submission: a draft keeps its id when it is submitted',
  ],
  [
    'ignores-deletions.ts',
    'delete',
    'kept_after_deletion',
    'does not look for responses that were deleted',
    ['--deletions'],
  ],
]

/** A program without a bug, its options, and the command that prints what it has handled. */
type Correct = readonly [file: string, options: readonly string[], handled?: string]

const CORRECT: readonly Correct[] = [
  ['receiver.ts', WEBHOOK],
  ['receiver.py', WEBHOOK, 'ls responses'],
  ['receiver-sqlite.py', WEBHOOK, IDS_OF_DATABASE],
  ['receiver-webhook-verify.ts', WEBHOOK],
  ['receiver-lease.ts', WEBHOOK, IDS_OF_FILES],
  ['queue.ts', WEBHOOK],
  ['webhook-and-poll.ts', WEBHOOK],
  ['poller.ts', []],
  ['poller.py', [], idsOfJson('state.json', '({ ids }) => ids')],
  ['poller-sqlite.py', [], IDS_OF_DATABASE],
  ['poller-sdk.ts', []],
  ['poller-deletions.ts', ['--deletions']],
]

/** Rehearses a program of the zoo with the built CLI. */
async function rehearse(path: string, options: readonly string[], handled = IDS_OF_LINES) {
  const url = new URL(`zoo/${path}`, import.meta.url)
  const command = path.endsWith('.py') ? ['python3', fileURLToPath(url)] : ['node', await bundled(url)]
  const argv = [inject('programs').cli, 'rehearse', '--json', '--handled', handled, ...options]
  const env = { HOME: temporaryDirectory(), PYTHONDONTWRITEBYTECODE: '1' }
  const { code, stdout, stderr } = await start([...argv, '--', ...command], env, '').finished
  return { code, stderr, report: stdout === '' ? undefined : JSON.parse(stdout) }
}

function rehearseAll(extension: string): void {
  const inLanguage = ([file]: readonly [string, ...unknown[]]): boolean => file.endsWith(extension)
  const bugs = [
    ...RECEIVERS.map((bug) => [bug[0], WEBHOOK, bug] as const),
    ...POLLERS.map((bug) => [bug[0], [] as readonly string[], bug] as const),
  ]

  it.concurrent.for(bugs.filter(inLanguage))(
    'finds the bug of %s',
    async ([file, webhook, bug], { expect }) => {
      const [, only, verdict, likely, options = [], handled] = bug
      const soon = ['--only', only, '--profile', 'harsh', '--responses', '6', '--runs', '100', '--seed', '1']
      const { code, report, stderr } = await rehearse(
        `bugs/${file}`,
        [...webhook, ...options, ...soon],
        handled,
      )
      expect({ code, stderr, ...report?.failure }).toMatchObject({
        code: 1,
        verdict,
        likely: typeof likely === 'string' ? likely : expect.stringMatching(likely),
      })
    },
  )

  it.concurrent.for(CORRECT.filter(inLanguage))(
    'finds nothing wrong with %s',
    async (program, { expect }) => {
      const [file, options, handled] = program
      const { code, report } = await rehearse(
        `correct/${file}`,
        [...options, '--runs', '5', '--seed', '1'],
        handled,
      )
      expect({ code, ...report }).toMatchObject({ code: 0, passed: 5, failed: 0, flaky: 0 })
    },
  )
}

describe('formwire rehearse with programs in JavaScript', () => {
  rehearseAll('.ts')
})

describe('formwire rehearse with programs in Python', () => rehearseAll('.py'))
