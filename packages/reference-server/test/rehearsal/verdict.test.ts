import type { RehearsalKind } from '@formwire/internal/rehearsal-kinds'
import { describe, expect, it } from 'vitest'
import { type Evidence, likelyCause } from '../../src/rehearsal/likely.ts'
import {
  describe as describeVerdict,
  judge,
  MUTE,
  type RunFacts,
  type VerdictKind,
} from '../../src/rehearsal/verdict.ts'

const FACTS: RunFacts = {
  submitted: new Set([1, 2, 3]),
  deleted: new Set([3]),
  isAcknowledged: () => false,
  isRefused: () => false,
  expect: 'exactly-once',
  complete: true,
  deletions: false,
}

describe('judge', () => {
  it.each<[string, Partial<RunFacts>, number[], [VerdictKind, number[]] | undefined]>([
    ['everything once', {}, [2, 1], undefined],
    ['a deleted response that was handled before', {}, [1, 2, 3], undefined],
    ['one that is missing', {}, [1], ['lost', [2]]],
    ['one that is missing, of at most once', { expect: 'at-most-once' }, [1], undefined],
    ['one that is there twice', {}, [1, 2, 1], ['handled_twice', [1]]],
    ['one that is there twice, of at least once', { expect: 'at-least-once' }, [1, 2, 1], undefined],
    ['one that is there twice, of at most once', { expect: 'at-most-once' }, [1, 1], ['handled_twice', [1]]],
    ['an id that was never submitted', {}, [1, 2, 9], ['invented', [9]]],
    ['an invented one, before one that is missing', { expect: 'at-least-once' }, [9], ['invented', [9]]],
    ['a deleted response that stays', { deletions: true }, [1, 2, 3], ['kept_after_deletion', [3]]],
    ['what was never delivered', { complete: false }, [], undefined],
    ['what was acknowledged', { complete: false, isAcknowledged: (id) => id === 2 }, [], ['lost', [2]]],
    ['what was refused until the end', { complete: false, isRefused: (id) => id === 1 }, [], ['lost', [1]]],
    [
      'a deleted response that was acknowledged',
      { complete: false, isAcknowledged: (id) => id === 3 },
      [],
      undefined,
    ],
  ])('[DLV-06][DLV-10][RESP-04] judges %s', (_what, facts, handled, expected) => {
    const verdict = judge({ ...FACTS, ...facts }, handled)
    expect(verdict && [verdict.kind, verdict.responseIds]).toEqual(expected)
  })
})

describe('a verdict in words', () => {
  it.each<[VerdictKind, number[], string]>([
    ['lost', [1], 'response 1 was never handled'],
    ['lost', [1, 2, 3, 4], 'response 1 and 3 more were never handled'],
    ['handled_twice', [1, 2], 'response 1 and 1 more were handled more than once'],
    ['invented', [0], '0 was reported as handled, but is not among the submitted responses'],
    ['invented', [0, 9], '0 and 1 more were reported as handled, but are not among the submitted responses'],
    ['kept_after_deletion', [1, 2], 'response 1 and 1 more were deleted, and are still there'],
  ])('%s of %j', (kind, responseIds, text) => {
    expect(describeVerdict({ kind, responseIds })).toBe(text)
  })
})

describe('likelyCause', () => {
  type Rest = Partial<Evidence>
  /** What is known of a failure with the first response, after a schedule with these kinds. */
  const evidence = (kind: VerdictKind, kinds = '', rest: Rest = {}): Evidence => ({
    verdict: { kind, responseIds: [1] },
    kinds: new Set(kinds.split(' ') as RehearsalKind[]),
    timestamps: 'milliseconds',
    answers: [],
    isSilent: false,
    comesAgain: false,
    isFlooded: false,
    turnsPages: false,
    polls: false,
    wasDraft: false,
    isBlind: false,
    ...rest,
  })
  const lost = (kinds: string, answers: Evidence['answers'] = [], rest: Rest = {}) =>
    evidence('lost', kinds, { answers, ...rest })
  /** Lost by a program that reads the list. */
  const missed = (kinds: string, rest: Rest = {}) => evidence('lost', kinds, { polls: true, ...rest })
  const twice = (kinds: string, answers: Evidence['answers'] = [], rest: Rest = {}) =>
    evidence('handled_twice', kinds, { answers, ...rest })
  const ended = (detail: string, kinds: string, rest: Rest = {}) =>
    evidence('program_ended', kinds, {
      verdict: { kind: 'program_ended', responseIds: [], detail },
      ...rest,
    })

  const isFlooded = true
  const CAUSES: Record<string, Evidence | Evidence[]> = {
    'acknowledged before it was stored: the kill after 200 lost it': lost('kill', [200]),
    'remembers before the work is done: the retry is taken for a duplicate': lost('kill', [null, 200]),
    'takes the order of deliveries for the order of responses: one that arrives late is dropped': lost(
      'reorder',
      [200],
    ),
    'keeps the secret from before its rotation: it refuses every later delivery with 401': lost(
      'rotate',
      [401, 401],
    ),
    'answers 409 long after the kill: what it had claimed before stays claimed': lost('kill', [
      null,
      409,
      409,
    ]),
    'answers 503 to new deliveries after the kill: what it left behind, such as a lock, blocks it': lost(
      'kill',
      [503, 503],
    ),
    'refuses a genuine delivery with 409': lost('', [409]),
    'gives no answer to a delivery: an error in its handler may end the connection, or leave it open': lost(
      '',
      [null, null],
      { isSilent: true },
    ),
    'relies on deliveries alone: there is none while the endpoint is paused, so it must also read the list of responses':
      lost('pause'),
    'relies on deliveries alone: not every one arrives, so it must also read the list of responses': lost(
      'timeout',
      [null],
    ),
    'receives deliveries, but never answers one': evidence('not_reachable', '', {
      verdict: { kind: 'not_reachable', responseIds: [], instead: MUTE },
    }),
    'pages by number while rows are deleted: those behind a deleted one move up': [
      missed('delete'),
      missed('delete burst', { isFlooded, timestamps: 'offset' }),
    ],
    'saves its position before the work is done: the kill in between lost it': [
      missed('kill'),
      missed('kill', { timestamps: 'offset' }),
    ],
    'reads one page alone: what is new can be more': missed('burst', { isFlooded }),
    'stops at the first response that it knows: a new one moves it to the next page, and a restart finds only the newest handled':
      missed('burst kill', { isFlooded, turnsPages: true }),
    'does not deduplicate, or each of its processes by itself: a delivery can come again': twice(
      'duplicate',
      [200, 200],
      { comesAgain: true },
    ),
    'checks and then acts: two attempts at the same time are both handled, it needs one atomic claim': twice(
      'duplicate',
      [200, 200],
      { timestamps: 'offset' },
    ),
    'does not repeat a request that was answered 429 after its Retry-After': missed('api-429'),
    'deduplicates by delivery id: a replay has a new one': twice('replay'),
    'remembers what it has handled too late, or only in memory: after the kill it is handled again':
      twice('replay kill'),
    'compares timestamps as text: their precision and offset can differ': [
      missed('same-instant', { timestamps: 'offset' }),
      missed('burst', { isFlooded, timestamps: 'microseconds' }),
      lost('', [200], { timestamps: 'microseconds' }),
      twice('', [], { polls: true, timestamps: 'seconds' }),
    ],
    '`since` is inclusive, but it is used as exclusive, or ties are dropped: several responses have the same submitted_at':
      missed('', { timestamps: 'seconds' }),
    'tells responses apart by their time: several can have the same submitted_at': lost('', [200], {
      timestamps: 'seconds',
    }),
    'reads timestamps of one format only: their precision and offset can differ (refuses a genuine delivery with 500)':
      lost('', [500, 500], { timestamps: 'seconds' }),
    'counts the test event (test.ping) as a response': evidence('invented', '', {
      verdict: { kind: 'invented', responseIds: [0] },
    }),
    'takes a draft for a response: drafts may never be submitted': evidence('invented', '', {
      wasDraft: true,
    }),
    'does not look for responses that were deleted': evidence('kept_after_deletion'),
    'cannot read after the kill what it was writing at that moment: write beside it and rename (SyntaxError: Unexpected end of JSON input)':
      ended('SyntaxError: Unexpected end of JSON input', 'kill outage'),
    'ends when the API answers 500 (exit code 1)': ended('exit code 1', 'api-500'),
    'reads timestamps of one format only: their precision and offset can differ (exit code 1: unexpected timestamp)':
      ended('exit code 1: unexpected timestamp', '', { timestamps: 'seconds' }),
  }

  it.each(Object.entries(CAUSES))('says "%s"', (expected, given) => {
    for (const one of [given].flat()) expect(likelyCause(one)).toBe(expected)
  })
})
