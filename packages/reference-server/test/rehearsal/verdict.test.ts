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
  const evidence = (verdict: VerdictKind, rest: Partial<Evidence> = {}): Evidence => ({
    verdict: { kind: verdict, responseIds: [1] },
    kinds: new Set(),
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

  const causes: readonly (readonly [Evidence, string])[] = [
    [
      evidence('lost', { kinds: new Set(['kill']), answers: [200] }),
      'acknowledged before it was stored: the kill after 200 lost it',
    ],
    [
      evidence('lost', { kinds: new Set(['kill']), answers: [null, 200] }),
      'remembers before the work is done: the retry is taken for a duplicate',
    ],
    [
      evidence('lost', { kinds: new Set(['reorder']), answers: [200] }),
      'takes the order of deliveries for the order of responses: one that arrives late is dropped',
    ],
    [
      evidence('lost', { kinds: new Set(['rotate']), answers: [401, 401] }),
      'keeps the secret from before its rotation: it refuses every later delivery with 401',
    ],
    [
      evidence('lost', { kinds: new Set(['kill']), answers: [null, 409, 409] }),
      'answers 409 long after the kill: what it had claimed before stays claimed',
    ],
    [
      evidence('lost', { kinds: new Set(['kill']), answers: [503, 503] }),
      'answers 503 to new deliveries after the kill: what it left behind, such as a lock, blocks it',
    ],
    [evidence('lost', { answers: [409] }), 'refuses a genuine delivery with 409'],
    [
      evidence('lost', { answers: [null, null], isSilent: true }),
      'gives no answer to a delivery: an error in its handler may end the connection, or leave it open',
    ],
    [
      evidence('lost', { kinds: new Set(['pause']) }),
      'relies on deliveries alone: there is none while the endpoint is paused, so it must also read the list of responses',
    ],
    [
      evidence('lost', { kinds: new Set(['timeout']), answers: [null] }),
      'relies on deliveries alone: not every one arrives, so it must also read the list of responses',
    ],
    [
      evidence('not_reachable', { verdict: { kind: 'not_reachable', responseIds: [], instead: MUTE } }),
      'receives deliveries, but never answers one',
    ],
    [
      evidence('lost', { polls: true, kinds: new Set(['delete']) }),
      'pages by number while rows are deleted: those behind a deleted one move up',
    ],
    [
      evidence('lost', { polls: true, kinds: new Set(['kill']) }),
      'saves its position before the work is done: the kill in between lost it',
    ],
    [
      evidence('lost', { polls: true, kinds: new Set(['burst']), isFlooded: true }),
      'reads one page alone: what is new can be more',
    ],
    [
      evidence('lost', { polls: true, kinds: new Set(['burst', 'kill']), isFlooded: true, turnsPages: true }),
      'stops at the first response that it knows: a new one moves it to the next page, and a restart finds only the newest handled',
    ],
    [
      evidence('handled_twice', { kinds: new Set(['duplicate']), answers: [200, 200], comesAgain: true }),
      'does not deduplicate, or each of its processes by itself: a delivery can come again',
    ],
    [
      evidence('handled_twice', { kinds: new Set(['duplicate']), answers: [200, 200], timestamps: 'offset' }),
      'checks and then acts: two attempts at the same time are both handled, it needs one atomic claim',
    ],
    [
      evidence('lost', { polls: true, kinds: new Set(['api-429']) }),
      'does not repeat a request that was answered 429 after its Retry-After',
    ],
    [
      evidence('handled_twice', { kinds: new Set(['replay']) }),
      'deduplicates by delivery id: a replay has a new one',
    ],
    [
      evidence('handled_twice', { kinds: new Set(['replay', 'kill']) }),
      'remembers what it has handled too late, or only in memory: after the kill it is handled again',
    ],
    [
      evidence('lost', { polls: true, kinds: new Set(['same-instant']), timestamps: 'offset' }),
      'compares timestamps as text: their precision and offset can differ',
    ],
    [
      evidence('lost', {
        polls: true,
        kinds: new Set(['burst']),
        isFlooded: true,
        timestamps: 'microseconds',
      }),
      'compares timestamps as text: their precision and offset can differ',
    ],
    [
      evidence('lost', { answers: [200], timestamps: 'microseconds' }),
      'compares timestamps as text: their precision and offset can differ',
    ],
    [
      evidence('handled_twice', { polls: true, timestamps: 'seconds' }),
      'compares timestamps as text: their precision and offset can differ',
    ],
    [
      evidence('lost', { polls: true, kinds: new Set(['kill']), timestamps: 'offset' }),
      'saves its position before the work is done: the kill in between lost it',
    ],
    [
      evidence('lost', { polls: true, timestamps: 'seconds' }),
      '`since` is inclusive, but it is used as exclusive, or ties are dropped: several responses have the same submitted_at',
    ],
    [
      evidence('lost', { answers: [200], timestamps: 'seconds' }),
      'tells responses apart by their time: several can have the same submitted_at',
    ],
    [
      evidence('lost', { answers: [500, 500], timestamps: 'seconds' }),
      'reads timestamps of one format only: their precision and offset can differ (refuses a genuine delivery with 500)',
    ],
    [
      evidence('invented', { verdict: { kind: 'invented', responseIds: [0] } }),
      'counts the test event (test.ping) as a response',
    ],
    [evidence('invented', { wasDraft: true }), 'takes a draft for a response: drafts may never be submitted'],
    [evidence('kept_after_deletion'), 'does not look for responses that were deleted'],
    [
      evidence('program_ended', {
        verdict: {
          kind: 'program_ended',
          responseIds: [],
          detail: 'SyntaxError: Unexpected end of JSON input',
        },
        kinds: new Set(['kill', 'outage']),
      }),
      'cannot read after the kill what it was writing at that moment: write beside it and rename (SyntaxError: Unexpected end of JSON input)',
    ],
    [
      evidence('program_ended', {
        verdict: { kind: 'program_ended', responseIds: [], detail: 'exit code 1' },
        kinds: new Set(['api-500']),
      }),
      'ends when the API answers 500 (exit code 1)',
    ],
  ]

  it('says "reads timestamps of one format only" with how the program ended', () => {
    const verdict = {
      kind: 'program_ended',
      responseIds: [],
      detail: 'exit code 1: unexpected timestamp',
    } as const
    expect(likelyCause(evidence('program_ended', { verdict, timestamps: 'seconds' }))).toBe(
      'reads timestamps of one format only: their precision and offset can differ (exit code 1: unexpected timestamp)',
    )
  })

  it.each(causes.map(([given, expected]) => [expected, given] as const))('says "%s"', (expected, given) => {
    expect(likelyCause(given)).toBe(expected)
  })
})
