import { meSchema } from '@formwire/contract/schemas'
import { rule } from '../case.ts'
import { ABSENT_FORM_ID, check, checkError, checkFormPage, checkItem } from '../check.ts'

export const envelopeCases = [
  rule(
    ['ENV-01', 'ME-01'],
    'returns user, workspace and key in {"data": {...}} from GET /me',
    async ({ probe }) => {
      checkItem(await probe.send('/me'), meSchema)
    },
  ),

  rule('ENV-02', 'returns a list as data and meta', async ({ probe }) => {
    const { data, meta } = checkFormPage(await probe.send('/forms?per_page=1'))
    check(meta.per_page === 1 && meta.page === 1, `meta has page ${meta.page}, per_page ${meta.per_page}`)
    check(data.length === Math.min(1, meta.total), `${data.length} items of ${meta.total}`)
  }),

  rule(
    'ENV-06',
    'counts pages from 1, with 25 forms per page by default and 100 at most',
    async ({ probe }) => {
      const { meta } = checkFormPage(await probe.send('/forms'))
      check(meta.page === 1, `page is ${meta.page} by default, expected 1`)
      check(meta.per_page === 25, `per_page is ${meta.per_page} by default, expected 25`)
      for (const page of ['0', '-1', 'x'])
        checkError(await probe.send(`/forms?page=${page}`), 'validation_failed', 'page')
      for (const size of ['0', '101', 'x']) {
        checkError(await probe.send(`/forms?per_page=${size}`), 'validation_failed', 'per_page')
      }
      checkFormPage(await probe.send('/forms?per_page=100'))
    },
  ),

  rule('ENV-02', 'returns each form exactly once in pages of one', async ({ probe }) => {
    const whole = checkFormPage(await probe.send('/forms?per_page=3'))
    const single: string[] = []
    for (let page = 1; page <= whole.data.length; page += 1) {
      const { data } = checkFormPage(await probe.send(`/forms?per_page=1&page=${page}`))
      single.push(...data.map((form) => form.id))
    }
    const ids = whole.data.map((form) => form.id)
    check(single.join() === ids.join(), `per_page=1 gave ${single.join()}, per_page=3 gave ${ids.join()}`)
  }),

  rule(
    'ENV-03',
    'returns errors as {"error": {"code", "message"}} with the matching status',
    async ({ probe }) => {
      checkError(await probe.send(`/forms/${ABSENT_FORM_ID}`), 'not_found')
      checkError(await probe.send('/me', { authorization: null }), 'unauthorized')
      checkError(await probe.send('/forms?status=open'), 'validation_failed', 'status')
    },
  ),

  rule(['ENV-07', 'ENV-08'], 'returns application/json and sets no cookie', async ({ probe }) => {
    for (const reply of [await probe.send('/me'), await probe.send(`/forms/${ABSENT_FORM_ID}`)]) {
      const type = reply.headers.get('content-type') ?? 'none'
      check(/^application\/json\s*(;|$)/i.test(type), `${reply.line}: Content-Type is ${type}`)
      check(reply.headers.get('set-cookie') === null, `${reply.line}: a cookie is set`)
    }
  }),

  rule('ERR-01', 'rejects broken percent-encoding with 400', async ({ probe }) => {
    checkError(await probe.send('/forms/%E0%A4%A'), 'bad_request')
  }),

  rule('ERR-02', 'returns 404 for an unknown path', async ({ probe }) => {
    checkError(await probe.send('/no-such-endpoint'), 'not_found')
  }),

  rule('VER-01', 'returns 404 for another version', async ({ probe }) => {
    const reply = await probe.send('/api/v2/me', { outside: true })
    check(reply.status === 404, `${reply.line}, expected 404`)
  }),
]
