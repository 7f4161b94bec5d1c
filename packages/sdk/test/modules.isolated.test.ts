import { expect, it, vi } from 'vitest'
import * as sdk from '../src/index.ts'
import { fakeTransport } from './support/fake-transport.ts'

it('throws before a request to validate is sent if zod is not installed', async () => {
  vi.doMock('@formwire/contract/schemas', () => {
    throw new Error("Cannot find package 'zod'")
  })
  try {
    const transport = fakeTransport({ body: { data: [], meta: { page: 1, per_page: 25, total: 0 } } })
    const formwire = new sdk.Formwire({ apiKey: 'svc_k', transport, validate: 'throw' })
    const error = await formwire.responses.list('abcdefghijkl').catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(sdk.UsageError)
    expect((error as sdk.UsageError).message).toBe(
      '"validate" requires zod 3.25 or newer, which could not be loaded; install it with "npm install zod".',
    )
    expect((error as sdk.UsageError).cause).toBeDefined()
    expect(transport.requests).toEqual([])
  } finally {
    vi.doUnmock('@formwire/contract/schemas')
  }
})

it('recognizes the errors of another copy of the package by instanceof and by guard', async () => {
  vi.resetModules()
  const other = (await import('../src/index.ts')) as typeof sdk
  expect(other.NotFoundError).not.toBe(sdk.NotFoundError)
  const transport = fakeTransport({
    status: 404,
    body: { error: { code: 'not_found', message: 'Because.' } },
  })
  const error = await new sdk.Formwire({ apiKey: 'svc_k', transport, maxRetries: 0 })
    .me()
    .catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(sdk.NotFoundError)
  expect(error).toBeInstanceOf(other.NotFoundError)
  expect(error).toBeInstanceOf(other.ApiError)
  expect(error).toBeInstanceOf(other.FormwireError)
  expect(error).not.toBeInstanceOf(other.ForbiddenError)
  expect(other.isNotFoundError(error)).toBe(true)
  expect(other.isApiError(error)).toBe(true)
  expect(other.isForbiddenError(error)).toBe(false)
  expect(other.isFormwireError(new Error('plain'))).toBe(false)
  expect(other.isFormwireError(undefined)).toBe(false)
})
