import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../../src/domain/key.ts'
import type { EndpointRecord } from '../../src/domain/webhook-endpoint.ts'
import { EndpointsTable } from '../../src/store/endpoints.ts'
import { KeysTable } from '../../src/store/keys.ts'
import { PeopleTable } from '../../src/store/people.ts'

const NOW = 1_700_000_000_000

describe('the keys table', () => {
  const key = (changes: Partial<ApiKey>): ApiKey => ({
    id: 1,
    name: 'Key',
    prefix: 'svc_abcdef',
    scope: 'read',
    hash: 'a',
    userId: 1,
    workspaceId: 1,
    createdAt: NOW,
    revokedAt: null,
    ...changes,
  })

  it('finds a key only by its current hash', () => {
    const table = new KeysTable()
    table.put(key({}))
    table.put(key({ hash: 'b', name: 'Replaced' }))
    expect([table.byHash('a'), table.byHash('b')?.name, table.get(1)?.name]).toEqual([
      undefined,
      'Replaced',
      'Replaced',
    ])
    table.put(key({ hash: 'b', name: 'Kept' }))
    table.put(key({ id: 2, hash: 'c' }))
    expect([table.byHash('b')?.name, Array.from(table.all(), ({ id }) => id)]).toEqual(['Kept', [1, 2]])
  })
})

describe('the people table', () => {
  it('keeps users and workspaces with their last ids in a dump', () => {
    const table = new PeopleTable()
    table.users.put({ id: 3, name: 'Ada', email: 'ada@example.com', passwordChangedAt: null })
    table.workspaces.put({ id: 6, name: 'Team', plan: 'free', createdAt: NOW })
    const loaded = new PeopleTable().load({ ...table.dump(), lastUserId: 20, lastWorkspaceId: 30 })
    expect(loaded.dump()).toEqual({ ...table.dump(), lastUserId: 20, lastWorkspaceId: 30 })
    expect([loaded.users.nextId(), loaded.workspaces.nextId()]).toEqual([21, 31])
  })

  it('lists the members of one workspace by user, and shares no change with a fork', () => {
    const table = new PeopleTable()
    for (const [workspaceId, userId] of [
      [2, 1],
      [1, 2],
      [1, 1],
      [3, 1],
    ] as const)
      table.putMembership({ workspaceId, userId, role: 'editor' })
    const membersOf = (people: PeopleTable, id: number) => people.membersOf(id).map(({ userId }) => userId)
    expect([membersOf(table, 1), membersOf(table, 2), membersOf(table, 4)]).toEqual([[1, 2], [1], []])
    expect([table.membership(1, 2)?.role, table.membership(2, 2)]).toEqual(['editor', undefined])
    const fork = table.fork()
    expect([fork.removeMembership(1, 1), fork.removeMembership(1, 1)]).toEqual([true, false])
    expect([membersOf(table, 1), membersOf(fork, 1)]).toEqual([[1, 2], [2]])
  })
})

describe('the endpoints table', () => {
  const endpoint = (id: number, formId = 'formsurvey01', workspaceId = 1): EndpointRecord => ({
    id,
    formId,
    workspaceId,
    url: 'https://hooks.example.com/',
    active: true,
    secret: 'whsec_test',
    createdAt: NOW,
  })
  const counts = (table: EndpointsTable) => [
    table.ofForm('formsurvey01').map(({ id }) => id),
    table.countOfForm('formsurvey01'),
    table.countOfWorkspace(1),
    table.all().map(({ id }) => id),
  ]

  it('[HOOK-06] [HOOK-09] counts by form and by workspace, after deletions too', () => {
    const table = new EndpointsTable()
    for (const one of [endpoint(2), endpoint(1), endpoint(3, 'formother001'), endpoint(4, 'formelse0001', 2)])
      table.put(one)
    table.put({ ...endpoint(2), active: false })
    expect(counts(table)).toEqual([[1, 2], 2, 3, [1, 2, 3, 4]])
    const fork = table.fork()
    table.delete(1)
    table.delete(1)
    expect(counts(table)).toEqual([[2], 1, 2, [2, 3, 4]])
    expect([table.countOfWorkspace(2), table.countOfForm('formelse0001'), table.get(4)?.id]).toEqual([
      1, 1, 4,
    ])
    expect(counts(fork)).toEqual([[1, 2], 2, 3, [1, 2, 3, 4]])
    fork.delete(3)
    expect([fork.countOfWorkspace(1), table.countOfWorkspace(1)]).toEqual([2, 2])
    expect(counts(new EndpointsTable().load(table.dump()))).toEqual(counts(table))
  })
})
