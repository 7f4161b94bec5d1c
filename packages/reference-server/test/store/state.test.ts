import { describe, expect, it } from 'vitest'
import { State } from '../../src/store/state.ts'
import { DEFAULT_UNSPECIFIED } from '../../src/unspecified.ts'
import { ABSENT, dumpWith } from './dump.ts'

const load = (dump = dumpWith()) => State.load(dump, DEFAULT_UNSPECIFIED)

/** The members of version 1: a state that an earlier build has saved is loaded by these names. */
const MEMBERS: Readonly<Record<string, string>> = {
  'people.users': 'email id name passwordChangedAt',
  'people.workspaces': 'createdAt id name plan',
  'people.memberships': 'role userId workspaceId',
  'keys.keys': 'createdAt hash id name prefix printed revokedAt scope userId workspaceId',
  'forms.forms':
    'closesAt createdAt id language opensAt publication questions responseCount responseLimit revision slug status ' +
    'statusBeforeArchive title trashedAt updatedAt workspaceId',
  'forms.forms.publication': 'language publishedAt questions title',
  'responses.responses': 'at content draft formId id sequence startedAt status',
  'responses.responses.content': 'answers email maxScore meta score',
  'responses.responses.draft': 'answers token',
  'endpoints.endpoints': 'active createdAt failingSince formId id secret url workspaceId',
  'deliveries.deliveries':
    'attempts body createdAt endpointId event formId id nextAttemptAt note responseId sequence status stopNote',
  'deliveries.deliveries.attempts':
    'durationMs error httpStatus number receiverAnswer signature startedAt timestamp',
  'uploads.uploads': 'formId id name questionId responseId size uploadedAt',
  'submitTokens.used': 'formId responseId token',
}

/** Returns the names of the members that records at a path have, of any of them. */
function membersAt(path: string): string {
  const records = path
    .split('.')
    .reduce<unknown[]>((values, name) => values.flatMap((one) => Object(one)[name] ?? []), [dumpWith()])
  return [...new Set(records.flatMap((record) => Object.keys(record as object)))].sort().join(' ')
}

describe('the state', () => {
  it('is empty at first', () => {
    expect(new State().dump()).toEqual({
      version: 1,
      people: { users: [], workspaces: [], memberships: [], lastUserId: 0, lastWorkspaceId: 0 },
      keys: { keys: [], lastId: 0 },
      forms: { forms: [], lastRevision: 0 },
      responses: { responses: [], lastId: 0 },
      endpoints: { endpoints: [], lastId: 0 },
      deliveries: { deliveries: [], lastSequence: 0 },
      uploads: { uploads: [] },
      submitTokens: { issued: 0, expiredUpTo: null, used: [] },
    })
  })

  it.each(Object.entries(MEMBERS))('has %s with the members of version 1', (path, members) => {
    expect(membersAt(path)).toBe(members)
  })

  it('keeps every table in a dump and in a fork, which shares no change', () => {
    const state = load()
    const fork = state.fork()
    expect([state.dump(), fork.dump()]).toEqual([dumpWith(), dumpWith()])
    fork.uploads.delete(dumpWith().uploads.uploads[0]?.id ?? '')
    fork.responses.delete(1)
    fork.endpoints.delete(1)
    fork.deliveries.deleteOfEndpoint(1)
    fork.people.removeMembership(1, 1)
    fork.keys.nextId()
    fork.forms.nextRevision()
    fork.submitTokens.issue(0, 'x')
    expect(state.dump()).toEqual(dumpWith())
  })

  it('loads a dump of an earlier version, which has no tokens of form pages', () => {
    expect(load(dumpWith('submitTokens', ABSENT)).dump().submitTokens).toEqual({
      issued: 0,
      expiredUpTo: null,
      used: [],
    })
  })

  it('shows loaded forms with the style of the server', () => {
    const ended = dumpWith('forms.forms[1].closesAt', 5)
    const statusesAt = (now: number, datesChangeStatus: 'true' | 'false') =>
      State.load(ended, { ...DEFAULT_UNSPECIFIED, datesChangeStatus }).forms.list(1, 'closed', now, 0, 9)
        .total
    expect([statusesAt(4, 'true'), statusesAt(5, 'true'), statusesAt(5, 'false')]).toEqual([0, 1, 0])
  })
})
