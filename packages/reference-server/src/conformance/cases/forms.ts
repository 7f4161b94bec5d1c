import { FORM_STATUSES } from '@formwire/contract'
import { formSchema } from '@formwire/contract/schemas'
import { rule, Skipped } from '../case.ts'
import { ABSENT_FORM_ID, check, checkError, checkFormPage, checkItem, checkResponsePage } from '../check.ts'

export const formCases = [
  rule(
    ['FORM-03', 'FORM-04', 'ENV-05'],
    'a form has every documented field, in its type',
    async ({ probe, form }) => {
      const seen = checkItem(await probe.ask(`/forms/${form.id}`), formSchema)
      check(seen.id === form.id, `asked for ${form.id}, got ${seen.id}`)
      check(seen.url.includes(seen.slug), `url does not hold the slug ${seen.slug}`)
    },
  ),

  rule('FORM-03', 'an id that no form has is 404', async ({ probe }) => {
    for (const id of [ABSENT_FORM_ID, 'short', '0']) checkError(await probe.ask(`/forms/${id}`), 'not_found')
  }),

  rule('FORM-01', 'forms come most recently updated first', async ({ probe }) => {
    const { data } = checkFormPage(await probe.ask('/forms?per_page=100'))
    if (data.length < 2) throw new Skipped('needs two forms')
    const times = data.map((form) => Date.parse(form.updated_at))
    check(
      times.every((time, i) => i === 0 || time <= (times[i - 1] as number)),
      'updated_at goes up somewhere in the list',
    )
  }),

  rule('FORM-02', 'the status filter keeps that state alone', async ({ probe }) => {
    let matching = 0
    for (const status of FORM_STATUSES) {
      const { data, meta } = checkFormPage(await probe.ask(`/forms?status=${status}&per_page=100`))
      check(
        data.every((form) => form.status === status),
        `status=${status} gave another state`,
      )
      matching += meta.total
    }
    const { meta } = checkFormPage(await probe.ask('/forms?per_page=1'))
    check(matching === meta.total, `the four states have ${matching} forms, the whole list ${meta.total}`)
    checkError(await probe.ask('/forms?status=trashed'), 'validation_failed', 'status')
  }),

  rule('FORM-12', 'response_count counts the submitted responses', async ({ probe, form }) => {
    // Two reads with responses coming in between may differ: try again once.
    for (let attempt = 0; ; attempt += 1) {
      const { meta } = checkResponsePage(await probe.ask(`/forms/${form.id}/responses?per_page=1`))
      const { response_count } = checkItem(await probe.ask(`/forms/${form.id}`), formSchema)
      if (meta.total === response_count) return
      check(attempt === 0, `response_count is ${response_count}, the list has ${meta.total}`)
    }
  }),
]
