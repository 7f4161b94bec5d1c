import { jsonRouteWorks, requireNoForgery, SECRET } from '../receiver-criteria.mjs'
import { linesOf, unmet } from '../workbench.mjs'

export const criteria = {
  starts: 'listens on PORT',
  'accepts-any-json': 'accepts genuine deliveries however their JSON is written',
  'accepts-large': 'accepts a genuine delivery of 900 kB',
  'refuses-forged': 'refuses what does not carry a valid signature',
  'refuses-stale': 'refuses what was signed more than five minutes ago or ahead',
  'keeps-json-routes': '/contacts returns its JSON for POST and PUT',
  'records-verified': 'appends a line for each verified delivery, and none for a refused one',
}

export async function grader(bench, { must, check }) {
  const app = await must('starts', () =>
    bench.listen(['node', 'server.mjs'], { FORMWIRE_WEBHOOK_SECRET: SECRET }),
  )
  const url = `${app.origin}/webhooks`
  const recorded = () => linesOf(app.data, 'events.jsonl').length
  const checks = await bench.checkReceiver(url, SECRET)
  await check('accepts-any-json', () =>
    checks('genuine', 'test_ping', 'pretty_printed', 'non_ascii', 'chunked', 'unknown_event', 'header_case'),
  )
  await check('accepts-large', () => checks('large_body'))
  await check('refuses-forged', () => requireNoForgery(checks))
  await check('refuses-stale', () => checks('old_timestamp', 'future_timestamp', 'tampered_timestamp'))
  await check('keeps-json-routes', async () => {
    for (const method of ['POST', 'PUT']) await jsonRouteWorks(`${app.origin}/contacts`, method)
  })
  await check('records-verified', async () => {
    const before = recorded()
    await bench.trigger(url, `${SECRET}_of_another_endpoint`)
    if (recorded() !== before) unmet('a delivery signed with another secret was recorded')
    await bench.trigger(url, SECRET)
    if (recorded() !== before + 1) unmet(`a genuine delivery added ${recorded() - before} lines`)
  })
}
