/** Prints every response: `FORMWIRE_WEBHOOK_SECRET=whsec_… npx tsx src/main.ts`. */
import { createApp } from './app.ts'

const port = Number(process.env.PORT ?? 4000)

createApp({
  secret: () => process.env.FORMWIRE_WEBHOOK_SECRET,
  saveResponse: (response) => console.log(`response ${response.id}: ${response.answers.length} answers`),
}).listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}/webhooks/formwire`))
