import { describe, expect, it } from 'vitest'
import { State } from '../../src/store/state.ts'
import { DEFAULT_UNSPECIFIED } from '../../src/unspecified.ts'
import { ABSENT, dumpWith } from './dump.ts'

const load = (dump = dumpWith()) => State.load(dump, DEFAULT_UNSPECIFIED)

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
