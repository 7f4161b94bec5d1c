import { expectTypeOf, it } from 'vitest'
import { checkedByCompiler } from './support/checked-by-compiler.ts'

/** Every entry point whose functions have options. */
type EntryPoints = {
  sdk: typeof import('@formwire/sdk')
  'sdk/undici': typeof import('@formwire/sdk/undici')
  'sdk/node': typeof import('@formwire/sdk/node')
  'sdk/checkpoint/file': typeof import('@formwire/sdk/checkpoint/file')
  'sdk/checkpoint/redis': typeof import('@formwire/sdk/checkpoint/redis')
  'sdk/checkpoint/postgres': typeof import('@formwire/sdk/checkpoint/postgres')
  'sdk/otel': typeof import('@formwire/sdk/otel')
  'sdk/budget/redis': typeof import('@formwire/sdk/budget/redis')
  'sdk/budget/postgres': typeof import('@formwire/sdk/budget/postgres')
  'webhook-verify': typeof import('@formwire/webhook-verify')
  'webhook-verify/web': typeof import('@formwire/webhook-verify/web')
  'webhook-verify/node': typeof import('@formwire/webhook-verify/node')
  'webhook-verify/fetch': typeof import('@formwire/webhook-verify/fetch')
  'webhook-verify/express': typeof import('@formwire/webhook-verify/express')
  'webhook-verify/fastify': typeof import('@formwire/webhook-verify/fastify')
  'webhook-verify/hono': typeof import('@formwire/webhook-verify/hono')
  'webhook-verify/koa': typeof import('@formwire/webhook-verify/koa')
  'webhook-verify/next': typeof import('@formwire/webhook-verify/next')
  'webhook-verify/lambda': typeof import('@formwire/webhook-verify/lambda')
  'webhook-verify/dedupe': typeof import('@formwire/webhook-verify/dedupe')
  'webhook-verify/dedupe/redis': typeof import('@formwire/webhook-verify/dedupe/redis')
  'webhook-verify/dedupe/postgres': typeof import('@formwire/webhook-verify/dedupe/postgres')
  'webhook-verify/testing': typeof import('@formwire/webhook-verify/testing')
  'reference-server': typeof import('@formwire/reference-server')
  'reference-server/msw': typeof import('@formwire/reference-server/msw')
  'reference-server/testing': typeof import('@formwire/reference-server/testing')
  'reference-server/conformance': typeof import('@formwire/reference-server/conformance')
  'reference-server/pull': typeof import('@formwire/reference-server/pull')
  sync: typeof import('@formwire/sync')
  'sync/sqlite': typeof import('@formwire/sync/sqlite')
  'sync/postgres': typeof import('@formwire/sync/postgres')
  'sync/inbox': typeof import('@formwire/sync/inbox')
  'sync/fleet': typeof import('@formwire/sync/fleet')
}

type Builtin =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | Date
  | RegExp
  | URL
  | Request
  | Response
  | Headers
  | AbortSignal
  | Uint8Array
  | Error
  | Promise<unknown>
  | ((...given: never) => unknown)
  | (abstract new (
      ...given: never
    ) => unknown)

/** What comes from a framework or a driver, or is handed on as it is: no options of ours. */
type Foreign = import('node:http').IncomingMessage | import('hono').Context

/** The optional members of a type, and of what is in it, that refuse `undefined`. */
type Refusing<Given, Path extends string, Depth extends 0[]> = Depth['length'] extends 3
  ? never
  : Given extends Builtin | Foreign
    ? never
    : 'keepalive' extends keyof Given
      ? never
      : Given extends readonly (infer Item)[]
        ? Refusing<Item, `${Path}[]`, [...Depth, 0]>
        : Given extends object
          ? {
              [Name in keyof Given & string]-?: string extends Name
                ? never
                :
                    | (Record<never, never> extends Pick<Given, Name>
                        ? undefined extends Required<Given>[Name]
                          ? never
                          : `${Path}.${Name}`
                        : never)
                    | Refusing<Given[Name], `${Path}.${Name}`, [...Depth, 0]>
            }[keyof Given & string]
          : never

/** The same for the arguments of functions and constructors, and of the methods of what those of an entry point return. */
type OfMembers<Members, Path extends string, Depth extends 0[]> = Depth['length'] extends 4
  ? never
  : Members extends readonly unknown[] | Builtin
    ? never
    : {
        [Name in keyof Members & string]: Members[Name] extends abstract new (
          ...given: infer Given
        ) => infer Made
          ? Refusing<Given[number], `${Path} ${Name}`, []> | OfMembers<Made, `${Path} ${Name}`, [...Depth, 0]>
          : Members[Name] extends (...given: infer Given) => infer Result
            ?
                | Refusing<Given[number], `${Path} ${Name}`, []>
                | (Depth extends [] ? OfMembers<Awaited<Result>, `${Path} ${Name}`, [0]> : never)
            : Members[Name] extends Builtin
              ? never
              : Members[Name] extends object
                ? OfMembers<Members[Name], `${Path} ${Name}`, [...Depth, 0]>
                : never
      }[keyof Members & string]

type Everything = {
  [Name in keyof EntryPoints & string]: OfMembers<EntryPoints[Name], Name, []>
}[keyof EntryPoints & string]

/** What a framework passes, and what only our own stores and server call. */
type NoOptions =
  | `webhook-verify/${'hono' | 'lambda'} verifyRequest.req${string}`
  | `webhook-verify/node readRawBody.${'complete' | 'readableDidRead'}`
  | `sync ${'createSync.store' | 'readSyncStatus'}.${string}`
  | `sync/${string}Store ${'read' | 'transaction'}.${string}`

it('accepts undefined for every option of every package under exactOptionalPropertyTypes', () => {
  checkedByCompiler()
  expectTypeOf<Exclude<Everything, NoOptions>>().toEqualTypeOf<never>()
})
