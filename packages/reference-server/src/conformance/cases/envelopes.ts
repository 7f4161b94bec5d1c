import { meSchema } from '@formwire/contract/schemas'
import { rule } from '../case.ts'
import { ABSENT_FORM_ID, check, checkError, checkFormPage, checkItem } from '../check.ts'

export const envelopeCases = [
  rule(
    ['ENV-01', 'ME-01'],
    'GET /me gives the user, the workspace and the key in {"data": {...}}',
    async ({ probe }) => {
      checkItem(await probe.ask('/me'), meSchema)
    },
  ),

  rule('ENV-02', 'a list has data and meta, and total counts what matches', async ({ probe }) => {
    const { data, meta } = checkFormPage(await probe.ask('/forms?per_page=1'))
    check(meta.per_page === 1 && meta.page === 1, `meta says page ${meta.page}, per_page ${meta.per_page}`)
    check(data.length === Math.min(1, meta.total), `${data.length} items of ${meta.total}`)
  }),

  rule('ENV-06', 'page counts from 1, per_page is 25 unless given, at most 100', async ({ probe }) => {
    const { meta } = checkFormPage(await probe.ask('/forms'))
    check(meta.page === 1, `page is ${meta.page} by default, expected 1`)
    check(meta.per_page === 25, `per_page is ${meta.per_page} by default, expected 25`)
    for (const page of ['0', '-1', 'x'])
      checkError(await probe.ask(`/forms?page=${page}`), 'validation_failed', 'page')
    for (const size of ['0', '101', 'x']) {
      checkError(await probe.ask(`/forms?per_page=${size}`), 'validation_failed', 'per_page')
    }
    checkFormPage(await probe.ask('/forms?per_page=100'))
  }),

  rule('ENV-02', 'pages of one item give each form of the first page once', async ({ probe }) => {
    const whole = checkFormPage(await probe.ask('/forms?per_page=3'))
    const single: string[] = []
    for (let page = 1; page <= whole.data.length; page += 1) {
      const { data } = checkFormPage(await probe.ask(`/forms?per_page=1&page=${page}`))
      single.push(...data.map((form) => form.id))
    }
    const ids = whole.data.map((form) => form.id)
    check(single.join() === ids.join(), `per_page=1 gave ${single.join()}, per_page=3 gave ${ids.join()}`)
  }),

  rule('ENV-03', 'errors come in {"error": {"code", "message"}} with their status', async ({ probe }) => {
    checkError(await probe.ask(`/forms/${ABSENT_FORM_ID}`), 'not_found')
    checkError(await probe.ask('/me', { authorization: null }), 'unauthorized')
    checkError(await probe.ask('/forms?status=open'), 'validation_failed', 'status')
  }),

  rule(['ENV-07', 'ENV-08'], 'answers are application/json and set no cookie', async ({ probe }) => {
    for (const seen of [await probe.ask('/me'), await probe.ask(`/forms/${ABSENT_FORM_ID}`)]) {
      const type = seen.headers.get('content-type') ?? 'none'
      check(/^application\/json\s*(;|$)/i.test(type), `${seen.line}: Content-Type is ${type}`)
      check(seen.headers.get('set-cookie') === null, `${seen.line}: a cookie is set`)
    }
  }),

  rule('ERR-01', 'a broken percent-encoding is 400', async ({ probe }) => {
    checkError(await probe.ask('/forms/%E0%A4%A'), 'bad_request')
  }),

  rule('ERR-02', 'a path or a method that does not exist is 404', async ({ probe }) => {
    checkError(await probe.ask('/no-such-endpoint'), 'not_found')
    checkError(await probe.ask('/me', { method: 'PUT', body: {} }), 'not_found')
  }),

  rule('VER-01', 'other versions are 404', async ({ probe }) => {
    const seen = await probe.ask('/api/v2/me', { outside: true })
    check(seen.status === 404, `${seen.line}, expected 404`)
  }),
]
