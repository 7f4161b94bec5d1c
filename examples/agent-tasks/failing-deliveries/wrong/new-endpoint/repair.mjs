import { writeFileSync } from 'node:fs'
import { Formwire } from '@formwire/sdk'

const form = process.env.FORMWIRE_FORM_ID
const formwire = new Formwire()

// A fresh start: the log of the old endpoint, with what had failed, is gone with it.
const {
  data: [endpoint],
} = await formwire.webhooks.list(form)
await formwire.webhooks.delete(form, endpoint.id)
const { secret } = await formwire.webhooks.create(form, { url: endpoint.url })
writeFileSync('config.json', JSON.stringify({ verify: true, secret }))
