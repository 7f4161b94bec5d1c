import type { Mutant } from './mutants.ts'

interface Place {
  /** The key of the mutant, as the report prints it. */
  key: string
  /** Where it is, for people. */
  at: string
}

/** Mutants that no input shows, by the reason. */
export const EQUIVALENTS: Record<string, readonly Place[]> = {
  'A check or a default that only the compiler needs: the value always has this type, or is always there': [
    {
      key: '58bbd29f53e37164',
      at: 'sdk attempt.ts, #end: an attempt ends only after start() has set it',
    },
    {
      key: 'aff9d1c627756c67',
      at: 'webhook-verify freshness.ts, toMilliseconds: isFinite is false for all but numbers',
    },
    { key: '5104040cf590160a', at: 'sdk page-walk.ts, sameRows: both lists have the same length' },
    { key: '8b55d20aab43f4a5', at: 'reference-server grid-answers.ts, checkGrid: a grid always has rows' },
    { key: '0c3af2d4d4392028', at: 'reference-server grid-answers.ts, gridText: a grid always has rows' },
    { key: 'a5f62abc65be98ac', at: 'reference-server grid-answers.ts, gridText: the row is in the value' },
    {
      key: 'b1ce705927f349fe',
      at: 'reference-server appearance.ts, readLogo: only the element that is skipped',
    },
    { key: 'a7227c86d253a0b6', at: 'webhook-verify hints.ts, isExpected: null is less than any status' },
    { key: 'a243fd12e6eef94e', at: 'reference-server check-references.ts: the form was found just before' },
    {
      key: 'b7cece676d4af0c8',
      at: 'reference-server socket-request.ts, originForm: only the element that is skipped',
    },
  ],
  'Another condition gives the same result': [
    {
      key: '65809b98bc06aeca',
      at: 'webhook-verify check-receiver.ts, inTurn: the race is over when the sleep is aborted',
    },
    {
      key: 'b0c1e55d2b581fa1',
      at: 'reference-server date-time-answers.ts: a text is not less than what is no text',
    },
    {
      key: '96a0f01da55ac42f',
      at: 'reference-server socket.ts, refuseMalformed: a write to such a socket destroys it, too',
    },
    {
      key: '050c5be761cfebbd',
      at: 'webhook-verify target.ts, startOf: without a body the error is caught',
    },
    {
      key: '57d6bd1572efc5d2',
      at: 'reference-server choice-answers.ts, readChoice: a set of ids has nothing else',
    },
    { key: '439ea2f6f20a9af1', at: 'reference-server grid-answers.ts, readColumn: the same' },
    {
      key: 'e951557e7caf0b3b',
      at: 'reference-server date-time-answers.ts, isRealDate: a match has all three parts',
    },
    { key: 'a3cd372561765c2b', at: 'reference-server date-time-answers.ts, isRealDate: the same' },
    {
      key: '768e548a4f22dbbe',
      at: 'reference-server score.ts, bestPossible: zeros come last and add nothing',
    },
    { key: 'ddc9d9571ec93ec9', at: 'webhook-verify hmac.ts, equalHex: a === b is false for another length' },
    { key: '3b62869c31a01595', at: 'webhook-verify hmac.ts, equalHex: the same for b' },
    { key: 'f9eb743985bc84bf', at: 'webhook-verify hmac.ts, equalHex: the same for both' },
    { key: '06bf1e506eb53373', at: 'reference-server check-dump.ts, json: no result counts as false' },
    { key: '63f0fc2409e1cc76', at: 'webhook-verify check-options.ts, distanceOf: names of the same length' },
    { key: '4cc91c90869269e8', at: 'webhook-verify raw-headers.ts: a name of undefined is skipped' },
    { key: '9122b7f3ebd26663', at: 'webhook-verify run-check.ts, countHint: a count of 1 has passed before' },
  ],
  'Only time or memory differ': [
    {
      key: 'e817b4d31ca12acc',
      at: 'reference-server socket.ts, write: a complete request closes at once, and nothing of it is left',
    },
    {
      key: '72e93a02ce462a0c',
      at: 'reference-server address-rules.ts, checkUrl: the characters are counted also where the units tell',
    },
    { key: '1b2e11337dd07440', at: 'reference-server address-rules.ts, checkUrl: the same' },
    { key: '222fbbcf3cdd5c14', at: 'reference-server address-rules.ts, checkUrl: the same' },
    { key: '7cd2706495e0a460', at: 'reference-server appearance.ts, intro: counts what need not be counted' },
    { key: '46236fae0b97c4d6', at: 'reference-server text-answers.ts, checkLength: the same' },
    { key: '8d0fc1c50490a70d', at: 'sdk rate-budget.ts, #used: when expired instants are removed' },
    {
      key: '1d0f29c195676a7e',
      at: 'reference-server form-update.ts, isTitle: counts what need not be counted',
    },
    { key: 'a135cd5ce4a00ed7', at: 'sdk read-body.ts, readText: one chunk needs no copy' },
    { key: '190d97d79dd3fb0d', at: 'webhook-verify run-check.ts, settle: a sleep that ends at once' },
    { key: '938b5b7d2f7b5dd7', at: 'reference-server form-wire.ts: writes the same JSON again' },
    { key: 'fd4f4b4be022d193', at: 'reference-server deliveries.ts, put: writes the same entry again' },
    { key: '082ca4c86d2f7676', at: 'reference-server forms.ts, #unlist: writes the same entries again' },
    { key: '4535b38418203091', at: 'reference-server forms.ts, #unlist: writes the same entry again' },
    { key: 'a2cffc83e21b245f', at: 'reference-server forms.ts, #endChanges: moves a form to where it is' },
    { key: '327729c97e36e850', at: 'reference-server forms.ts, #endChanges: the same' },
    { key: 'cd6f2ff17084f4be', at: 'reference-server forms.ts, #endChanges: the same' },
    { key: 'f6ce1ffe00a8da2f', at: 'reference-server forms.ts, #endChanges: the same' },
    {
      key: '067c5ebd26d596c8',
      at: 'reference-server json-depth.ts: reads a body of as many bytes as levels',
    },
    { key: '648c436b4e8fe861', at: 'reference-server router.ts: decodes what is not encoded' },
    { key: '88c4361601a3e947', at: 'reference-server authenticate.ts, hashOf: hashes a key again' },
    { key: '7d6785a4c23591df', at: 'reference-server msw.ts, withoutRoot: copies the same request' },
    {
      key: 'de4cdc4d371347a6',
      at: 'reference-server socket.ts: closed connections stay in the list',
    },
    { key: '9847f5712a59b40b', at: 'reference-server socket.ts, write: head and body in two writes' },
  ],
  'Only a runtime without process differs, which tests in a browser cover': [
    { key: '14a56cf7c470800d', at: 'sdk diagnostics.ts: process?.getBuiltinModule' },
    { key: '23c6f7f0ca80374a', at: 'webhook-verify diagnostics.ts: diagnostics?.channel' },
  ],
  'Only a parameter that has a name of Stryker shows it': [
    { key: '839db6dace5ebe4d', at: 'reference-server responses.ts: no parameter is allowed' },
  ],
}

const keys = new Set(Object.values(EQUIVALENTS).flatMap((places) => places.map(({ key }) => key)))

export function isEquivalent({ key }: Mutant): boolean {
  return keys.has(key)
}
