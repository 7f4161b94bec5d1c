import assert from 'node:assert/strict'

/** Uses the server, the test kit and the SDK without any peer. */
export async function check(load) {
  const sdk = await load('@formwire/sdk')
  const main = await load('@formwire/reference-server')
  const testing = await load('@formwire/reference-server/testing')
  const server = main.createReferenceServer({ seed: 'demo' })
  const { url } = await server.listen({ port: 0 })
  const response = await fetch(`${url}/api/v1/forms`, {
    headers: { authorization: `Bearer ${server.readKey}` },
  })
  assert.equal(response.status, 200)
  await server.close()
  const kit = await testing.startFormwire()
  const form = kit.server.app.forms.create({ title: 'Feedback' })
  kit.server.app.forms.publish(form.id)
  await kit.connectReceiver(form.id)
  kit.server.app.responses.create(form.id, { deliver: true })
  await kit.waitForDelivery({ status: 'delivered' })
  assert.equal((await new sdk.Formwire(kit.clientOptions).forms.get(form.id)).title, 'Feedback')
  // Never closed: a test whose assertion fails before `close` must end. This timer fires only if something else keeps the process alive.
  setTimeout(() => {
    console.error('an open test kit keeps the process alive')
    process.exit(1)
  }, 60_000).unref()
}
