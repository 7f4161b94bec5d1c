/** Saves every response in a folder: `FORMWIRE_WEBHOOK_SECRET=whsec_… RESPONSES=responses npx tsx src/main.ts`. */
import { createApp } from './app.ts'
import { saveResponse } from './save-response.ts'

const port = Number(process.env.PORT ?? 4000)
const folder = process.env.RESPONSES ?? 'responses'

createApp({
  secret: () => process.env.FORMWIRE_WEBHOOK_SECRET,
  saveResponse: async (response) => {
    await saveResponse(folder, response)
    console.log(`response ${response.id}: ${response.answers.length} answers`)
  },
}).listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}/webhooks/formwire`))
