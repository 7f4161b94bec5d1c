import { FORM_STATUSES } from '@formwire/contract'
import { formSchema } from '@formwire/contract/schemas'
import { CaseSkipped, rule } from '../case.ts'
import { ABSENT_FORM_ID, check, checkError, checkFormPage, checkItem, checkResponsePage } from '../check.ts'

export const formCases = [
  rule(
    ['FORM-03', 'FORM-04', 'ENV-05'],
    'returns every documented field of a form with its type',
    async ({ probe, form }) => {
      const reply = checkItem(await probe.send(`/forms/${form.id}`), formSchema)
      check(reply.id === form.id, `requested ${form.id}, got ${reply.id}`)
      check(reply.url.includes(reply.slug), `url does not contain the slug ${reply.slug}`)
    },
  ),

  rule('FORM-03', 'returns 404 for an unknown form id', async ({ probe }) => {
    for (const id of [ABSENT_FORM_ID, 'short', '0']) checkError(await probe.send(`/forms/${id}`), 'not_found')
  }),

  rule('FORM-01', 'lists the most recently updated form first', async ({ probe }) => {
    const { data } = checkFormPage(await probe.send('/forms?per_page=100'))
    if (data.length < 2) throw new CaseSkipped('needs two forms')
    const times = data.map((form) => Date.parse(form.updated_at))
    check(
      times.every((time, i) => i === 0 || time <= (times[i - 1] as number)),
      'updated_at is not in descending order',
    )
  }),

  rule('FORM-02', 'filters forms by status', async ({ probe }) => {
    let matching = 0
    for (const status of FORM_STATUSES) {
      const { data, meta } = checkFormPage(await probe.send(`/forms?status=${status}&per_page=100`))
      check(
        data.every((form) => form.status === status),
        `status=${status} returned a form with another status`,
      )
      matching += meta.total
    }
    const { meta } = checkFormPage(await probe.send('/forms?per_page=1'))
    check(
      matching === meta.total,
      `the four statuses have ${matching} forms in total, the unfiltered list has ${meta.total}`,
    )
    for (const status of ['trashed', '', 'Draft', 'draft%20', 'draft,closed', 'null']) {
      checkError(await probe.send(`/forms?status=${status}`), 'validation_failed', 'status')
    }
  }),

  rule('FORM-12', 'counts the submitted responses in response_count', async ({ probe, form }) => {
    // A response submitted between the two reads makes them differ, so try twice.
    for (let attempt = 0; ; attempt += 1) {
      const { meta } = checkResponsePage(await probe.send(`/forms/${form.id}/responses?per_page=1`))
      const { response_count } = checkItem(await probe.send(`/forms/${form.id}`), formSchema)
      if (meta.total === response_count) return
      check(attempt === 0, `response_count is ${response_count}, the list has ${meta.total}`)
    }
  }),
]
