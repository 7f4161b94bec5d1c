/** What a schedule in which a program of the zoo breaks has besides its version. */
export interface Story {
  responses: readonly object[]
  steps?: readonly object[]
  timestamps?: string
}

/** Two responses with the same `submitted_at`. */
const TIED = [{ at_ms: 0 }, { at_ms: 20, same_instant: true }]

/** Six responses, between which the program is stopped at such moments, one for each of the times. */
const stopped = (kind: 'kill' | 'terminate', when: string, times: readonly number[]): Story => ({
  responses: [60, 105, 115, 130, 160, 200].map((at_ms) => ({ at_ms })),
  steps: times.map((at_ms, index) => ({ at_ms, kind, when, then_ms: 7 * index, down_ms: 20 })),
})

const rotated = (responses: readonly object[], times: readonly number[]): Story => ({
  responses,
  steps: times.map((at_ms) => ({ at_ms, kind: 'rotate' })),
})

/**
 * The stories of the programs whose bug takes longest to find, by file. As often as it takes, a kill may come at a moment at which it does
 * no harm.
 */
export const STORIES: Readonly<Record<string, Story>> = {
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
  'checkpoint-first.py': stopped('kill', 'page', [28, 90, 107, 116, 129]),
  'checkpoint-in-place.ts': stopped('kill', 'page', [32, 56, 109, 136]),
  'seen-in-memory.ts': stopped('kill', 'page', [90, 107, 129]),
  'skips-errors.ts': { responses: [{ at_ms: 0 }], steps: [{ at_ms: 0, kind: 'api-500', for_ms: 300 }] },
  'ids-in-order.ts': { responses: [{ at_ms: 0, draft_ms: 300 }, { at_ms: 3 }] },
  'ignores-deletions.ts': { responses: [{ at_ms: 0, delete_ms: 296 }] },
  'acknowledges-first.ts': stopped('kill', 'acknowledged', [27, 110, 150, 205]),
  'queue-in-memory.py': stopped('terminate', 'acknowledged', [11, 26, 99, 146]),
  'dedupes-in-memory.py': rotated(
    [{ at_ms: 38, delivery: [{ kind: 'fail-after', times: 1 }] }],
    [6, 96, 160, 207],
  ),
  'remembers-first.ts': {
    responses: [{ at_ms: 138 }],
    steps: [0, 207].map((at_ms) => ({ at_ms, kind: 'kill', when: 'received', then_ms: 3, down_ms: 0 })),
  },
  'trusts-order.ts': {
    responses: [44, 91, 118, 163, 213, 258].map((at_ms, index) =>
      index % 3 === 0 ? { at_ms } : { at_ms, delivery: [{ kind: 'reorder' }] },
    ),
  },
  'keeps-secret.ts': rotated([{ at_ms: 200 }], [22]),
  'keyed-by-time.ts': { responses: TIED },
}
