import { Formwire } from '@formwire/sdk'
import { closeForm } from './close-form.ts'

const [id] = process.argv.slice(2)
if (!id)
  throw new Error('Usage: npx -y pnpm@12 start FORM_ID, with FORMWIRE_API_KEY and FORMWIRE_BASE_URL set.')
console.log(await closeForm(new Formwire(), id))
