/**
 * Runs the server of `console.ts`, with 50 endpoints and 10,000 responses, which sends 100 deliveries per second to the receiver
 * whose URL is its argument. Replies to each message with the processor time of its process, including all threads.
 */
import { createReferenceServer } from '@formwire/reference-server'

/** Forms with deliveries; each has ten endpoints. */
const FORMS = 5
const ENDPOINTS_PER_FORM = 10
const RESPONSES = 10_000
/** One response every 100 ms to ten endpoints: 100 deliveries per second. */
const EVERY_MS = 100

/** Sent to the parent process when the server listens. */
export interface Listening {
  url: string
  adminToken: string
  readKey: string
  bigFormId: string
}

const target = process.argv[2]
const server = createReferenceServer({ limits: 'off' })
const { url } = await server.listen({ port: 0 })
const { forms, webhooks, responses } = server.app

const question = { id: 'say', type: 'long_text', title: 'What do you say?' }
const answer = (text: string) => [{ question_id: 'say', value: text }]
const bigFormId = forms.create({ title: 'Ten thousand', questions: [question] }).id
forms.publish(bigFormId)
for (let n = 0; n < RESPONSES; n++) {
  responses.create(bigFormId, {
    answers: answer(`Response ${n}: ${'words '.repeat(20)}`),
    email: `r${n}@example.com`,
  })
}
const sending: string[] = []
for (let n = 0; n < FORMS; n++) {
  const { id } = forms.create({ title: `Busy form ${n}`, questions: [question] })
  forms.publish(id)
  for (let each = 0; each < ENDPOINTS_PER_FORM; each++) await webhooks.create(id, { url: `${target}${each}` })
  sending.push(id)
}
let turn = 0
setInterval(() => {
  const formId = sending[turn++ % sending.length] as string
  responses.create(formId, { answers: answer(`Live ${turn}`), deliver: true })
}, EVERY_MS)

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMs: (user + system) / 1_000 })
})
process.on('disconnect', () => process.exit(0))
process.send?.({
  url,
  adminToken: server.adminToken,
  readKey: server.readKey,
  bigFormId,
} satisfies Listening)
