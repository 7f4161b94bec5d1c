/** What the packed webhook-verify must do on every runtime. Nothing of Node is imported here: browsers run this file too. */
function equal(actual, expected, what) {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (got !== wanted) throw new Error(`${what}: got ${got}, wanted ${wanted}`)
}

const bytesOf = ({ body, body_base64 }) =>
  body === undefined
    ? Uint8Array.from(atob(body_base64), (character) => character.charCodeAt(0))
    : new TextEncoder().encode(body)

async function codeOf(call) {
  try {
    await call()
    return 'accepted'
  } catch (error) {
    return error.code ?? String(error)
  }
}

/** The vectors that openssl made, with a door that verifies: `/web`, or the main entry. */
export async function checkVerifier({ verifySignature, verifyWebhook, signWebhook }, vectors) {
  for (const { name, secret, timestamp, signature, ...vector } of vectors) {
    const headers = new Headers({ 'X-Service-Timestamp': timestamp, 'X-Service-Signature': signature })
    const body = bytesOf(vector)
    const options = { secret: ['whsec_other', secret], headers, body, toleranceSeconds: Infinity }
    equal((await verifySignature(options)).secretIndex, 1, name)
    const longer = Uint8Array.from([...body, 0x21])
    equal(await codeOf(() => verifySignature({ ...options, body: longer })), 'no_match', name)
  }
  const [{ secret, timestamp, body, signature }] = vectors
  const { form, response } = JSON.parse(body)
  const signed = await signWebhook({
    secret,
    event: 'response.submitted',
    payload: { form, response },
    deliveryId: 'dlv_1',
    timestamp: Number(timestamp),
  })
  equal([signed.headers['X-Service-Signature'], signed.body], [signature, body], 'signWebhook')
  const now = new Date(timestamp * 1000)
  const event = await verifyWebhook({ secret, now, ...signed })
  equal([event.type, event.deliveryId, event.response.id], ['response.submitted', 'dlv_1', 4711], 'event')
  equal(await codeOf(() => verifyWebhook({ secret, ...signed, now: 0 })), 'timestamp_in_future', 'clock')
}

/** A receiver with dedupe: handled, seen before, refused, and not a POST. */
export async function checkReceiver({ createReceiver }, { createMemoryDedupe }, { signWebhook }) {
  const handled = []
  const receive = createReceiver({
    secret: 'whsec_smoke',
    dedupe: createMemoryDedupe(),
    on: { 'response.submitted': (event) => handled.push(event.response.id) },
    onError: () => {},
  })
  const payload = { form: { id: 'f', title: 'T' }, response: { id: 1, answers: [] } }
  const signed = await signWebhook({ secret: 'whsec_smoke', event: 'response.submitted', payload })
  const answers = []
  for (const changes of [{}, {}, { body: signed.body.replace('1', '2') }, { method: 'GET', body: null }]) {
    const init = { method: 'POST', ...signed, ...changes }
    const response = await receive(new Request('https://receiver.example/webhooks', init))
    answers.push([response.status, (await response.text()).split(':')[0]])
  }
  const wanted = [
    [200, 'ok'],
    [200, 'duplicate'],
    [401, 'no_match'],
    [405, 'deliveries come by POST'],
  ]
  equal([answers, handled], [wanted, [1]], 'receiver')
}

/** Every spoilt delivery of the test kit is refused with its code, by both verifiers. */
export async function checkTestKit({ createDelivery, TAMPERINGS }, verifiers) {
  const delivery = createDelivery()
  for (const { verifyWebhook } of verifiers) {
    for (const [name, { code }] of Object.entries(TAMPERINGS)) {
      const spoilt = delivery.tamper(name)
      equal(await codeOf(() => verifyWebhook({ secret: delivery.secret, ...spoilt })), code, name)
    }
    const request = delivery.toRequest()
    const body = await request.arrayBuffer()
    const event = await verifyWebhook({ secret: delivery.secret, headers: request.headers, body })
    equal(event.deliveryId, delivery.deliveryId, 'toRequest')
  }
}

/** The door of `node:http`, over a socket; a second reader of the same request is told so. */
export async function checkNodeDoor({ createReceiver }, { createDelivery }, { createServer }) {
  const delivery = createDelivery()
  const receive = createReceiver({
    secret: delivery.secret,
    on: { 'response.submitted': () => {} },
    onError: () => {},
  })
  const server = createServer(async (request, response) => {
    if (request.url === '/read-before') for await (const _ of request);
    await receive(request, response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${server.address().port}`
    const { headers, body } = delivery
    const answers = []
    for (const path of ['/', '/read-before']) {
      const response = await fetch(url + path, { method: 'POST', headers, body })
      answers.push(`${response.status} ${await response.text()}`)
    }
    equal(answers, ['200 ok', '500 body_already_parsed'], 'node door')
  } finally {
    server.close()
    server.closeAllConnections?.()
  }
}

/** `/fetch` behind the servers of Deno and Bun themselves; elsewhere there is nothing to do. */
export async function checkOwnServer({ createReceiver }, { createDelivery }) {
  const { Deno, Bun } = globalThis
  if (!Deno && !Bun) return
  const delivery = createDelivery()
  const receive = createReceiver({ secret: delivery.secret, on: {}, onError: () => {} })
  const where = { hostname: '127.0.0.1', port: 0 }
  const server = Deno
    ? Deno.serve({ ...where, onListen: () => {} }, receive)
    : Bun.serve({ ...where, fetch: receive })
  try {
    const { headers, body } = delivery
    const url = `http://127.0.0.1:${server.addr?.port ?? server.port}`
    const response = await fetch(url, { method: 'POST', headers, body })
    equal([response.status, await response.text()], [200, 'ignored: no handler for this event'], 'own server')
  } finally {
    await (Deno ? server.shutdown() : server.stop(true))
  }
}
