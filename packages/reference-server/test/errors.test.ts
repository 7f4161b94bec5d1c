import { expect, it } from 'vitest'
import {
  ExpectationError,
  FakeTimersError,
  OptionError,
  SeedError,
  ServiceError,
  startFormwire,
} from '../src/testing/index.ts'

const copyOf = async <Module>(path: string): Promise<Module> =>
  (await import(`${new URL(`../src/${path}`, import.meta.url).href}?another-copy`)) as Module

const NOT_FOUND = new ServiceError('not_found', 'Not found.', { field: 'id' })

it.each<[name: string, error: Error, path: string, own: object]>([
  ['OptionError', new OptionError('x'), 'known-names.ts', {}],
  ['ExpectationError', new ExpectationError('x'), 'testing/waits.ts', {}],
  ['FakeTimersError', new FakeTimersError('setTimeout'), 'fake-timers.ts', {}],
  [
    'SeedError',
    new SeedError([{ path: 'users', message: 'm' }]),
    'seed/seed-error.ts',
    { issues: [{ path: 'users' }] },
  ],
  [
    'ServiceError',
    NOT_FOUND,
    'domain/service-error.ts',
    { code: 'not_found', status: 404, details: { field: 'id' } },
  ],
])('%s is recognized across builds, and its JSON has the message', async (name, error, path, own) => {
  const { [name]: Other } = await copyOf<Record<string, new (...given: never) => Error>>(path)
  expect(Other).not.toBe(error.constructor)
  expect(error).toBeInstanceOf(Other)
  expect(new TypeError('x')).not.toBeInstanceOf(Other)
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name, message: error.message, ...own })
})

it('a class that extends one of ours recognizes its own errors alone', () => {
  class Own extends ServiceError {}
  expect(NOT_FOUND).not.toBeInstanceOf(Own)
  expect(new Own('conflict', 'x')).toBeInstanceOf(Own)
})

it('the app throws the ServiceError that the test kit exports', async () => {
  await using kit = await startFormwire()
  expect(() => kit.server.app.forms.get('none')).toThrow(ServiceError)
})
