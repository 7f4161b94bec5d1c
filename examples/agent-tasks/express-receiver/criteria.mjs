import { linesOf, unmet } from '../workbench.mjs'

/** Of an endpoint that exists only in a grading. */
const SECRET = 'whsec_agent_tasks'
const COMMAND = ['node', 'server.mjs']
const REHEARSED = {
  webhook: '/webhooks',
  handled: `node -pe 'fs.readFileSync("responses.jsonl","utf8").trim().split("\\n").map(JSON.parse).map(({id})=>id).join("\\n")' 2>/dev/null || true`,
}
const RESPONSE = {
  id: 1,
  submitted_at: '2026-11-26T10:00:00.000Z',
  answers: [],
  score: null,
  max_score: null,
}
const EVENT = {
  event: 'response.submitted',
  form: { id: 'survey000001', title: 'Survey' },
  response: { ...RESPONSE, meta: {} },
}

export async function grade(bench, { must, check, last }) {
  const env = { FORMWIRE_WEBHOOK_SECRET: SECRET }
  const app = await must('starts', () => bench.listen(COMMAND, env))
  const handled = () => linesOf(app.data, 'responses.jsonl').length
  const checks = await bench.checkReceiver(`${app.origin}/webhooks`, SECRET, handled)
  await check('accepts-genuine', () =>
    checks(
      ...['genuine', 'test_ping', 'pretty_printed', 'non_ascii', 'chunked', 'large_body', 'unknown_event'],
      ...['unknown_fields', 'header_case', 'fast_enough'],
    ),
  )
  await check('refuses-forged', () =>
    checks(
      ...['tampered_body', 'reserialized_body', 'wrong_secret', 'missing_signature', 'missing_timestamp'],
      ...['signature_without_prefix', 'empty_body', 'truncated_signature'],
    ),
  )
  await check('refuses-stale', () => checks('old_timestamp', 'future_timestamp', 'tampered_timestamp'))
  await check('handles-once', () =>
    checks('same_delivery_twice', 'same_response_new_delivery_id', 'concurrent_duplicates'),
  )
  await check('keeps-json-routes', () => echoes(`${app.origin}/echo`))
  await check('survives-restarts', () => survivesRestarts(bench, env))
  await last('survives-rehearsal', () =>
    bench.rehearse(COMMAND, { ...REHEARSED, runs: 2, responses: 10, seed: 4 }),
  )
}

/** Requires that a route returns the JSON that it is sent. */
async function echoes(url) {
  const body = JSON.stringify({ name: 'Zoë', tags: ['a', 'b'] })
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body }).catch((error) =>
    unmet(`POST /echo gets no response: ${error.cause?.code}`),
  )
  const text = await response.text()
  if (!response.ok || text.replace(/\s/g, '') !== body)
    unmet(`POST /echo returned ${response.status} ${text.slice(0, 80)}`)
}

/** The service delivers a response again to an app that was killed in between. */
async function survivesRestarts(bench, env) {
  const data = bench.createFolder()
  for (const time of ['first', 'second']) {
    const app = await bench.listen(COMMAND, { ...env, DATA: data })
    const accepted = await bench.trigger(`${app.origin}/webhooks`, SECRET, EVENT)
    await app.stop()
    if (!accepted) unmet(`it refused the ${time} delivery`)
  }
  const { length } = linesOf(data, 'responses.jsonl')
  if (length !== 1) unmet(`it appended the response ${length} times`)
}
