import { describe, expect, expectTypeOf, it } from 'vitest'
import { checkedByCompiler } from '../../../../test/support/checked-by-compiler.ts'
import * as sdk from '../../src/index.ts'

/** What each guard narrows to, by the name of its class. */
type Guarded = {
  -readonly [Name in keyof typeof sdk as Name extends `is${infer Class extends `${string}Error`}`
    ? Class
    : never]: (typeof sdk)[Name] extends (value: unknown) => value is infer Narrowed ? Narrowed : never
}

/** The classes whose errors are assignable to `Name`. */
type TakenFor<Name extends keyof Guarded> = {
  [Other in keyof Guarded]: Other extends Name ? never : Guarded[Other] extends Guarded[Name] ? Other : never
}[keyof Guarded]

/** Such pairs, by the base class. */
type Pairs = { [Name in keyof Guarded as [TakenFor<Name>] extends [never] ? never : Name]: TakenFor<Name> }

type ApiErrors =
  | 'BadRequestError'
  | 'UnauthorizedError'
  | 'ForbiddenError'
  | 'NotFoundError'
  | 'ValidationError'
  | 'RateLimitError'
  | 'ServerError'

describe('guards', () => {
  it('distinguish each pair of classes, unless one extends the other', () => {
    checkedByCompiler()
    expectTypeOf<Pairs>().toEqualTypeOf<{
      FormwireError: Exclude<keyof Guarded, 'FormwireError'>
      ApiError: ApiErrors
    }>()
  })

  it('narrow the type of an error after a guard that returned', () => {
    const codeOf = (error: unknown): string | undefined => {
      if (!sdk.isFormwireError(error)) return undefined
      if (sdk.isAbortError(error)) return undefined
      if (!sdk.isApiError(error)) return error.message
      if (sdk.isNotFoundError(error)) return undefined
      if (error instanceof sdk.RateLimitError) return undefined
      expectTypeOf(error).toEqualTypeOf<sdk.ApiError>()
      return error.code
    }
    expectTypeOf<sdk.NotFoundError['name']>().toEqualTypeOf<'NotFoundError'>()
    const facts = { status: 409, code: 'conflict', reason: '', headers: new Headers(), envelope: true }
    expect(codeOf(new sdk.ApiError(facts))).toBe('conflict')
    expect(codeOf(new sdk.NotFoundError(facts))).toBeUndefined()
    expect(codeOf(new sdk.UsageError('No.'))).toBe('No.')
  })
})
