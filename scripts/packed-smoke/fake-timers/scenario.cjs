const assert = require('node:assert/strict')

/** Everything in the kit that waits in real time, and a request of the SDK. `fake` replaces the timers; nothing advances them. */
module.exports = async function waitsInRealTime({ startFormwire, makeQuestion, Formwire }, fake) {
  fake()
  const kit = await startFormwire({ deliveryTimeoutMs: 3000 })
  try {
    const { server, receiver, clientOptions, connectReceiver, waitForDelivery } = kit
    const draft = server.app.forms.create({ title: 'Feedback', questions: [makeQuestion('nps')] })
    const form = server.app.forms.publish(draft.id)
    await connectReceiver(form.id)
    receiver.respond('500', 'timeout', 'slow(20)')

    server.app.responses.create(form.id, { deliver: true })
    await waitForDelivery({ status: 'pending', http_status: 500 })
    await server.clock.advance('1m')
    await waitForDelivery({ status: 'pending', error: 'timeout' })
    await server.clock.advance('12h')
    await waitForDelivery({ status: 'delivered', attempts: 3 })
    await assert.rejects(waitForDelivery({ status: 'failed' }, { timeoutMs: 50 }), /Timed out after 50 ms/)

    const { title } = await new Formwire(clientOptions).forms.get(form.id)
    assert.equal(title, 'Feedback')
  } finally {
    await kit.close()
  }
}
