import { Formwire } from '@formwire/sdk'

const person = process.argv[2].toLowerCase()
const formwire = new Formwire()

// The list is read to its end before anything is deleted: a deletion moves the rows behind it to earlier pages, which were read already.
const found = []
for await (const form of formwire.forms.list({ per_page: 100 })) {
  for (const status of ['in_progress', 'submitted']) {
    for await (const { id, email } of formwire.responses.list(form.id, { status, per_page: 100 })) {
      if (email?.toLowerCase() === person) found.push({ form: form.id, id })
    }
  }
}

let deleted = 0
for (const { form, id } of found) {
  // A response that is gone already ends it, and the rest stays.
  await formwire.responses.delete(form, id)
  deleted += 1
}
console.log(deleted)
