import { unusableMsw } from './unusable-msw.ts'

/** Loads msw. The CommonJS build, which has no top-level await, uses `require()` instead (`commonjs.ts`). */
const msw = await import('msw').catch((cause: unknown) => {
  throw unusableMsw(cause)
})
// msw 1 has no `http`.
if (!msw.http) throw unusableMsw()

export const { http, HttpResponse } = msw
