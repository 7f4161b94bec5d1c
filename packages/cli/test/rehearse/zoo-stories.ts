/** What a schedule in which a program of the zoo breaks has besides its version. */
export interface Story {
  responses: readonly object[]
  steps?: readonly object[]
  timestamps?: string
}

/** Two responses with the same `submitted_at`. */
const TIED = [{ at_ms: 0 }, { at_ms: 20, same_instant: true }]

/** A stop while the first response is worked on. A stop waits for its moment until the last response. */
const stopped = (kind: 'kill' | 'terminate', when: string, then_ms = 0): Story => ({
  responses: [{ at_ms: 0 }, { at_ms: 1_000 }],
  steps: [{ at_ms: 0, kind, when, then_ms, down_ms: 10 }],
})

/** A page of so many responses, and a kill while they are worked on. */
const stoppedAtPage = (count: number): Story => ({
  responses: [{ at_ms: 0 }, { at_ms: 1_500 }],
  steps: [
    { at_ms: 0, kind: 'kill', when: 'page', then_ms: 150, down_ms: 10 },
    { at_ms: 0, kind: 'burst', count },
  ],
})

/** One response, and what happens to its delivery. */
const delivered = (trouble: object): Story => ({ responses: [{ at_ms: 0, delivery: [trouble] }] })

/** A response while the API fails. */
const failing = (kind: string, for_ms: number): Story => ({
  responses: [{ at_ms: 0 }],
  steps: [{ at_ms: 0, kind, for_ms }],
})

const rotated = (responses: readonly object[], times: readonly number[]): Story => ({
  responses,
  steps: times.map((at_ms) => ({ at_ms, kind: 'rotate' })),
})

/** The stories of programs, by file. The bug of one without a story is searched for, so that a search stays part of every run. */
export const STORIES: Readonly<Record<string, Story>> = {
  'acknowledges-first.ts': stopped('kill', 'acknowledged'),
  'queue-in-memory.py': stopped('terminate', 'acknowledged'),
  'remembers-first.ts': stopped('kill', 'received', 100),
  'since-exclusive.ts': {
    responses: [{ at_ms: 41 }, ...[75, 80].map((at_ms) => ({ at_ms, same_instant: true }))],
  },
  'since-repeats.py': { responses: [{ at_ms: 0 }] },
  'reads-one-format.py': { responses: [{ at_ms: 0 }], timestamps: 'offset' },
  'two-pollers.py': { responses: TIED },
  'checkpoint-first.py': stoppedAtPage(10),
  'checkpoint-in-place.ts': stoppedAtPage(60),
  'seen-in-memory.ts': stopped('kill', 'page', 100),
  'ends-at-429.ts': failing('api-429', 1_000),
  'ignores-retry-after.py': failing('api-429', 2_000),
  'ends-at-reset.py': failing('outage', 500),
  'no-dedupe.py': delivered({ kind: 'fail-after', times: 1 }),
  'dedupes-by-delivery.ts': delivered({ kind: 'replay', after_ms: 5 }),
  'check-then-act.ts': delivered({ kind: 'duplicate', after_ms: 0 }),
  'two-workers.ts': delivered({ kind: 'duplicate', after_ms: 0 }),
  'counts-ping.py': { responses: [{ at_ms: 0 }] },
  'compares-text.py': { responses: TIED, timestamps: 'offset' },
  'stops-at-known.ts': { responses: [{ at_ms: 0 }], steps: [{ at_ms: 0, kind: 'burst', count: 116 }] },
  'first-page-only.ts': { responses: [{ at_ms: 0 }], steps: [{ at_ms: 0, kind: 'burst', count: 29 }] },
  'pages-by-number.py': {
    responses: [{ at_ms: 107 }, { at_ms: 114, delete_ms: 57 }],
    steps: [
      { at_ms: 2, kind: 'burst', count: 41 },
      { at_ms: 2, kind: 'delete' },
    ],
  },
  'skips-errors.ts': failing('api-500', 300),
  'ids-in-order.ts': { responses: [{ at_ms: 0, draft_ms: 300 }, { at_ms: 3 }] },
  'ignores-deletions.ts': { responses: [{ at_ms: 0, delete_ms: 296 }] },
  'dedupes-in-memory.py': rotated(
    [{ at_ms: 38, delivery: [{ kind: 'fail-after', times: 1 }] }],
    [6, 96, 160, 207],
  ),
  'trusts-order.ts': {
    responses: [44, 91, 118, 163, 213, 258].map((at_ms, index) =>
      index % 3 === 0 ? { at_ms } : { at_ms, delivery: [{ kind: 'reorder' }] },
    ),
  },
  'keeps-secret.ts': rotated([{ at_ms: 200 }], [22]),
  'keyed-by-time.ts': { responses: TIED },
}
