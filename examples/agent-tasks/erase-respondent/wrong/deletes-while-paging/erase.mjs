import { Formwire, NotFoundError } from '@formwire/sdk'

const person = process.argv[2].toLowerCase()
const formwire = new Formwire()

let deleted = 0
for await (const form of formwire.forms.list({ per_page: 100 })) {
  for (const status of ['in_progress', 'submitted']) {
    for (let page = 1, full = true; full; page += 1) {
      const { data } = await formwire.responses.list(form.id, { status, page })
      full = data.length > 0
      for (const { id, email } of data) {
        if (email?.toLowerCase() !== person) continue
        try {
          // The rows of the next page move up by one.
          await formwire.responses.delete(form.id, id)
          deleted += 1
        } catch (error) {
          if (!(error instanceof NotFoundError)) throw error
        }
      }
    }
  }
}
console.log(deleted)
