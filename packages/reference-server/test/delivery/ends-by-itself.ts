/** Leaves deliveries in every state behind, closes, and must end without `process.exit`. */
import { createMockReceiver, createReferenceServer } from '@formwire/reference-server'
import { PATIENT } from '../../../../test/support/patience.ts'

const clock = process.argv[2] === 'real' ? 'real' : 'manual'
const server = createReferenceServer({ clock, limits: 'off' })
const receiver = await createMockReceiver({ script: ['500', '200', 'timeout', 'hang-body'] }).listen()
const form = server.app.forms.create({ title: 'F' })
server.app.forms.publish(form.id)
await server.app.webhooks.create(form.id, { url: receiver.url })
await server.listen({ port: 0 })
const stream = await server.fetch('http://127.0.0.1/_app/deliveries/stream', {
  headers: { authorization: `Bearer ${server.adminToken}` },
})
void stream.body?.getReader().read()
for (let count = 0; count < 4; count += 1) server.app.responses.create(form.id, { deliver: true })
await receiver.waitFor(4, PATIENT)
await Promise.all([server.close(), receiver.close()])
process.stdout.write('closed\n')
