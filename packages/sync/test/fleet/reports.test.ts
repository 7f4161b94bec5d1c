import { BudgetUnavailableError } from '@formwire/sdk/budget/postgres'
import { expect, it } from 'vitest'
import { StoreError } from '../../src/errors.ts'
import { Reports } from '../../src/fleet/reports.ts'

it('reports a rate budget in PostgreSQL that is unavailable as an outage of the database', () => {
  const reported: unknown[] = []
  const reports = new Reports({ onError: (failure) => reported.push(failure) })
  const cause = new BudgetUnavailableError('PostgreSQL failed at the rate budget.', { maybeSent: false })
  reports.failed({ workspace: 'main', error: cause, ended: false })
  const error = expect.objectContaining({ name: 'StoreError', code: 'unavailable', message: cause.message })
  expect(reported).toEqual([{ workspace: undefined, error, ended: false }])
})

it('reports once that the work for a workspace has ended, however many jobs of it were in progress', () => {
  const reported: unknown[] = []
  const reports = new Reports({ onError: ({ workspace, ended }) => reported.push([workspace, ended]) })
  const error = new StoreError('The tables are newer.', 'newer_version')
  for (const workspace of ['main', 'main', 'other']) reports.failed({ workspace, error, ended: true })
  expect(reported).toEqual([
    ['main', true],
    ['other', true],
  ])
})

it('reports an outage of the database and its end once, for all workspaces and jobs', () => {
  const reported: unknown[] = []
  const reports = new Reports({
    onError: ({ workspace, error }) => reported.push([workspace, (error as StoreError).code]),
    onRecovered: (workspace) => reported.push([workspace, 'recovered']),
  })
  for (const workspace of ['first', 'second', undefined, 'first'])
    reports.failed({ workspace, error: new StoreError('Down.', 'unavailable'), ended: false })
  for (const workspace of ['first', undefined, undefined]) reports.recovered(workspace)
  expect(reported).toEqual([
    [undefined, 'unavailable'],
    [undefined, 'recovered'],
  ])
})
