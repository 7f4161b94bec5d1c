import { Formwire } from '@formwire/sdk'

const [email] = process.argv.slice(2)
const formwire = new Formwire()

for await (const form of formwire.forms.list()) {
  const { data } = await formwire.responses.list(form.id)
  for (const response of data) {
    if (response.email?.includes(email)) await formwire.responses.delete(form.id, response.id)
  }
}
