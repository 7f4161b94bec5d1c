import { jsonRouteWorks, requireGenuine, requireNoForgery, SECRET } from '../receiver-criteria.mjs'
import { linesOf, unmet } from '../workbench.mjs'

export const criteria = {
  starts: 'listens on PORT',
  'accepts-genuine': 'accepts every genuine delivery',
  'refuses-forged': 'refuses what does not carry a valid signature',
  'refuses-stale': 'refuses what was signed more than five minutes ago or ahead',
  'handles-once': 'appends a response once when it is delivered again',
  'keeps-json-routes': 'POST /echo still returns its JSON',
  'survives-restarts': 'appends a response once when it is delivered again after a kill',
  'survives-rehearsal': 'loses and repeats nothing, whatever happens',
}

const COMMAND = ['node', 'server.mjs']
const REHEARSED = {
  webhook: '/webhooks',
  handled: `node -pe 'fs.readFileSync("responses.jsonl","utf8").trim().split("\\n").map(JSON.parse).map(({id})=>id).join("\\n")' 2>/dev/null || true`,
}
const EVENT = {
  event: 'response.submitted',
  form: { id: 'survey000001', title: 'Survey' },
  response: {
    id: 1,
    submitted_at: '2026-11-26T10:00:00.000Z',
    answers: [],
    score: null,
    max_score: null,
    meta: {},
  },
}

export async function grader(bench, { must, check, last }) {
  const env = { FORMWIRE_WEBHOOK_SECRET: SECRET }
  const app = await must('starts', () => bench.listen(COMMAND, env))
  const handled = () => linesOf(app.data, 'responses.jsonl').length
  const checks = await bench.checkReceiver(`${app.origin}/webhooks`, SECRET, handled)
  await check('accepts-genuine', () => requireGenuine(checks))
  await check('refuses-forged', () => requireNoForgery(checks))
  await check('refuses-stale', () => checks('old_timestamp', 'future_timestamp', 'tampered_timestamp'))
  await check('handles-once', () =>
    checks('same_delivery_twice', 'same_response_new_delivery_id', 'concurrent_duplicates'),
  )
  await check('keeps-json-routes', () => jsonRouteWorks(`${app.origin}/echo`))
  await check('survives-restarts', () => survivesRestarts(bench, env))
  await last('survives-rehearsal', () =>
    bench.rehearse(COMMAND, { ...REHEARSED, runs: 2, responses: 10, seed: 4 }),
  )
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
