import { meSchema } from '@formwire/contract/schemas'
import { rule, Skipped } from '../case.ts'
import { ABSENT_FORM_ID, check, checkError, checkItem } from '../check.ts'
import type { Seen } from '../probe.ts'

const checkUnauthorized = (seen: Seen): void => {
  checkError(seen, 'unauthorized')
  const scheme = seen.headers.get('www-authenticate')
  check(
    scheme?.toLowerCase().startsWith('bearer'),
    `${seen.line}: WWW-Authenticate is ${scheme ?? 'missing'}`,
  )
}

export const authenticationCases = [
  rule(
    'AUTH-01',
    'no key, a malformed one and a wrong one are 401 with WWW-Authenticate: Bearer',
    async ({ probe }) => {
      for (const authorization of [null, 'Bearer', 'Basic c3ZjXzp4', 'Bearer svc_0000000000000000']) {
        checkUnauthorized(await probe.ask('/me', { authorization }))
      }
    },
  ),

  rule('AUTH-01', 'the name of the scheme may be written in any case', async ({ probe }) => {
    for (const scheme of ['bearer', 'BEARER']) checkItem(await probe.ask('/me', { scheme }), meSchema)
  }),

  rule('AUTH-01', 'the key is checked before the path is', async ({ probe }) => {
    checkUnauthorized(await probe.ask(`/forms/${ABSENT_FORM_ID}`, { authorization: null }))
  }),

  rule('AUTH-02', 'a key in the query is no credential', async ({ probe }) => {
    // A made-up key: a real one never goes into a url.
    checkUnauthorized(await probe.ask('/me?api_key=svc_0000000000000000', { authorization: null }))
  }),

  rule('AUTH-06', 'a key is known by a short leading part', async ({ probe }) => {
    const { key } = checkItem(await probe.ask('/me'), meSchema)
    check(key.prefix.startsWith('svc_'), 'key.prefix does not begin svc_')
    check(key.prefix.length < 20, `key.prefix has ${key.prefix.length} characters`)
  }),

  rule('AUTH-03', 'a read-only key is 403 on write routes', async ({ probe, form, options }) => {
    const { readKey } = options
    if (!readKey) throw new Skipped('needs a read-only key of the same workspace')
    const authorization = `Bearer ${readKey}`
    checkItem(await probe.ask('/me', { authorization }), meSchema)
    checkError(
      await probe.ask(`/forms/${form.id}/webhooks/0`, { method: 'DELETE', authorization }),
      'forbidden',
    )
    checkError(
      await probe.ask(`/forms/${form.id}`, { method: 'PATCH', body: {}, authorization }),
      'forbidden',
    )
  }),

  rule('AUTH-12', "another workspace's form is byte for byte the 404 of none", async ({ probe, options }) => {
    if (!options.foreignFormId) throw new Skipped('needs the id of a form in another workspace')
    const absent = await probe.ask(`/forms/${ABSENT_FORM_ID}`)
    const foreign = await probe.ask(`/forms/${options.foreignFormId}`)
    checkError(foreign, 'not_found')
    check(foreign.text === absent.text, 'the two bodies differ')
  }),

  rule(
    'RATE-01',
    'over 120 requests a minute are 429 with Retry-After: 60',
    async ({ probe }) => {
      // Waits out what an earlier case may have used up.
      await probe.ask('/me')
      for (let sent = 0; sent < 130; sent += 1) {
        const seen = await probe.askOnce('/me')
        if (seen.status !== 429) continue
        checkError(seen, 'rate_limited')
        const after = seen.headers.get('retry-after')
        check(after === '60', `Retry-After is ${after ?? 'missing'}, expected 60`)
        return
      }
      check(false, '130 requests in a row were served')
    },
    { exhausts: true },
  ),
]
