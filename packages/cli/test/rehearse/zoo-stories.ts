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

const rotated = (responses: readonly object[], times: readonly number[]): Story => ({
  responses,
  steps: times.map((at_ms) => ({ at_ms, kind: 'rotate' })),
})

/** The stories of programs whose bug shows at once, by file. Those that a kill of a few milliseconds breaks are searched. */
export const STORIES: Readonly<Record<string, Story>> = {
  'acknowledges-first.ts': stopped('kill', 'acknowledged'),
  'queue-in-memory.py': stopped('terminate', 'acknowledged'),
  'remembers-first.ts': stopped('kill', 'received', 100),
  'since-exclusive.ts': {
    responses: [{ at_ms: 41 }, ...[75, 80].map((at_ms) => ({ at_ms, same_instant: true }))],
  },
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
  'skips-errors.ts': { responses: [{ at_ms: 0 }], steps: [{ at_ms: 0, kind: 'api-500', for_ms: 300 }] },
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
