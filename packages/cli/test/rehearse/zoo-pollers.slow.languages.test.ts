import { describe } from 'vitest'
import { type Bug, type Correct, IDS_OF_DATABASE, rehearseZoo } from './zoo-suite.ts'

const idsOfJson = (file: string, ids: string): string =>
  `node -p "(${ids})(JSON.parse(fs.readFileSync('${file}'))).join('\\n')" 2>/dev/null || true`

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

const CORRECT: readonly Correct[] = [
  ['poller.ts'],
  ['poller.py', [], idsOfJson('state.json', '({ ids }) => ids')],
  ['poller-sqlite.py', [], IDS_OF_DATABASE],
  ['poller-sdk.ts'],
  ['poller-deletions.ts', ['--deletions']],
]

describe('formwire rehearse with pollers', () => rehearseZoo(POLLERS, CORRECT))
