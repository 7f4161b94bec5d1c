/** What the packed webhook-verify must do on every runtime. Imports nothing from Node, because browsers run this file too. */
function equal(actual, expected, what) {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`)
}

const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** Checks the test vectors of the contract with an entry point that verifies: `/web` or the main one. */
export async function checkVerifier({ verifyWebhook, signWebhook }, { vectors }) {
  for (const { name, secrets: secret, headers, body_base64, now, tolerance_seconds, expect } of vectors) {
    const body = bytesOf(body_base64)
    const options = { secret, headers, body, now: now * 1000, toleranceSeconds: tolerance_seconds }
    let result
    try {
      result = (await verifyWebhook(options)).type
    } catch (error) {
      result = error.code ?? String(error)
    }
    equal(result, expect.ok ? expect.type : expect.code, name)
  }
  const [{ secrets, headers, body_base64 }] = vectors
  const body = new TextDecoder().decode(bytesOf(body_base64))
  const { event, ...payload } = JSON.parse(body)
  const timestamp = Number(headers['X-Service-Timestamp'])
  const signed = await signWebhook({ secret: secrets[0], event, payload, timestamp })
  equal([signed.headers['X-Service-Signature'], signed.body], [headers['X-Service-Signature'], body], 'sign')
}

/** Checks a receiver with dedupe: handled, duplicate, rejected, and not a POST. */
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
  const responses = []
  for (const changes of [{}, {}, { body: signed.body.replace('1', '2') }, { method: 'GET', body: null }]) {
    const init = { method: 'POST', ...signed, ...changes }
    const response = await receive(new Request('https://receiver.example/webhooks', init))
    responses.push([response.status, (await response.text()).split(':')[0]])
  }
  const expected = [
    [200, 'ok'],
    [200, 'duplicate'],
    [401, 'no_match'],
    [405, 'method not allowed'],
  ]
  equal([responses, handled], [expected, [1]], 'receiver')
}

/** Checks the `node:http` adapter over a socket. */
export async function checkNodeAdapter({ createReceiver }, { createDelivery }, { createServer }) {
  const delivery = createDelivery()
  const receive = createReceiver({
    secret: delivery.secret,
    on: { 'response.submitted': () => {} },
    onError: () => {},
  })
  const server = createServer(receive)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${server.address().port}`
    const { headers, body } = delivery
    const response = await fetch(url, { method: 'POST', headers, body })
    equal([response.status, await response.text()], [200, 'ok'], 'node adapter')
  } finally {
    server.close()
    server.closeAllConnections?.()
  }
}

/** Checks `/fetch` behind the built-in servers of Deno and Bun; does nothing elsewhere. */
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
