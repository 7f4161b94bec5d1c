import { describe } from 'vitest'
import { type Bug, type Correct, IDS_OF_DATABASE, rehearseZoo } from './zoo-suite.ts'

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

const CORRECT: readonly Correct[] = [
  ['receiver.ts'],
  ['receiver.py', [], 'ls responses'],
  ['receiver-sqlite.py', [], IDS_OF_DATABASE],
  ['receiver-webhook-verify.ts'],
  ['receiver-lease.ts', [], "ls | sed -n 's/^response-\\([0-9]*\\)$/\\1/p'"],
  ['queue.ts'],
  ['webhook-and-poll.ts'],
]

describe('formwire rehearse with receivers', () =>
  rehearseZoo(RECEIVERS, CORRECT, ['--webhook', '/webhooks']))
