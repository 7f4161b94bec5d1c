import { meSchema } from '@formwire/contract/schemas'
import { CaseSkipped, type RuleCase, rule } from '../case.ts'
import { ABSENT_FORM_ID, check, checkError, checkItem, checkStatus } from '../check.ts'
import type { Reply } from '../probe.ts'

const checkUnauthorized = (reply: Reply): void => {
  checkError(reply, 'unauthorized')
  const scheme = reply.headers.get('www-authenticate')
  check(
    scheme?.toLowerCase().startsWith('bearer'),
    `${reply.line}: WWW-Authenticate is ${scheme ?? 'missing'}`,
  )
}

export const authenticationCases: readonly RuleCase[] = [
  rule(
    'AUTH-01',
    'rejects a missing, malformed or wrong key with 401 and WWW-Authenticate: Bearer',
    async ({ probe }) => {
      for (const authorization of [null, 'Bearer', 'Basic c3ZjXzp4', 'Bearer svc_0000000000000000']) {
        checkUnauthorized(await probe.send('/me', { authorization }))
      }
    },
  ),

  rule('AUTH-01', 'accepts the scheme name in any case', async ({ probe }) => {
    for (const scheme of ['bearer', 'BEARER', 'bEaReR'])
      checkItem(await probe.send('/me', { scheme }), meSchema)
  }),

  rule('AUTH-01', 'checks the key before the path', async ({ probe }) => {
    checkUnauthorized(await probe.send(`/forms/${ABSENT_FORM_ID}`, { authorization: null }))
  }),

  rule('AUTH-02', 'ignores a key in the query', async ({ probe }) => {
    // Not a real key: those never go into a URL.
    checkUnauthorized(await probe.send('/me?api_key=svc_0000000000000000', { authorization: null }))
  }),

  rule('AUTH-06', 'shows a short leading part of the key', async ({ probe }) => {
    const { key } = checkItem(await probe.send('/me'), meSchema)
    check(key.prefix.startsWith('svc_'), 'key.prefix does not start with svc_')
    check(key.prefix.length < 20, `key.prefix has ${key.prefix.length} characters`)
  }),

  rule(
    'AUTH-03',
    'allows a read key every GET, and rejects write routes with 403',
    async ({ probe, form, options }) => {
      const { readKey } = options
      if (!readKey) throw new CaseSkipped('needs a read-only key of the same workspace')
      const authorization = `Bearer ${readKey}`
      const path = `/forms/${form.id}`
      for (const readable of ['/me', '/forms', path, `${path}/responses`, `${path}/webhooks`]) {
        checkStatus(await probe.send(readable, { authorization }), 200)
      }
      checkError(
        await probe.send(`/forms/${form.id}/webhooks/0`, { method: 'DELETE', authorization }),
        'forbidden',
      )
      checkError(
        await probe.send(`/forms/${form.id}`, { method: 'PATCH', body: {}, authorization }),
        'forbidden',
      )
    },
  ),

  rule(
    'AUTH-12',
    'returns byte for byte the 404 of a missing form for one of another workspace',
    async ({ probe, options }) => {
      if (!options.foreignFormId) throw new CaseSkipped('needs the id of a form in another workspace')
      const absent = await probe.send(`/forms/${ABSENT_FORM_ID}`)
      const foreign = await probe.send(`/forms/${options.foreignFormId}`)
      checkError(foreign, 'not_found')
      check(foreign.text === absent.text, 'the two bodies differ')
    },
  ),

  {
    exhausts: true,
    ...rule(
      'RATE-01',
      'rejects more than 120 requests per minute per key with 429 and Retry-After: 60',
      async ({ probe }) => {
        // Waits if earlier cases have used up the limit.
        await probe.send('/me')
        for (let sent = 0; sent < 130; sent += 1) {
          const reply = await probe.sendOnce('/me')
          if (reply.status !== 429) continue
          checkError(reply, 'rate_limited')
          const after = reply.headers.get('retry-after')
          check(after === '60', `Retry-After is ${after ?? 'missing'}, expected 60`)
          return
        }
        check(false, '130 consecutive requests were served')
      },
    ),
  },
]
