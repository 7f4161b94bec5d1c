import { eventually, FORM, linesOf, sameMembers, unmet } from '../workbench.mjs'

export const criteria = {
  'handles-all': 'handles each of a few responses once',
  'server-errors': 'loses and repeats nothing while the API responds with 500',
  'broken-connections': 'loses and repeats nothing while connections break and responses end halfway',
  outage: 'loses and repeats nothing while the service is gone',
  'waits-retry-after': 'sends nothing for as long as a 429 asks for, and then continues',
  'ends-on-401': 'ends with an exit code other than 0 when its key was revoked',
}

const COMMAND = ['python3', 'poller.py']
const env = { POLL_SECONDS: '0.1' }
const RETRY_AFTER_SECONDS = 2
/** Responses before, during and after the time from 400 to 1600 ms. */
const SUBMITTED = [0, 600, 900, 1200, 1900].map((at_ms) => ({ at_ms }))

export async function grader(bench, { must, check, last }) {
  const play = (...steps) =>
    bench.rehearse(COMMAND, {
      handled: 'cat handled.txt 2>/dev/null || true',
      env,
      schedule: { responses: SUBMITTED, steps },
    })
  await must('handles-all', () => play())
  await check('server-errors', () => play({ at_ms: 400, kind: 'api-500', for_ms: 1200 }))
  await last('broken-connections', () =>
    play(
      { at_ms: 400, kind: 'api-reset', for_ms: 600, how: 'unanswered' },
      { at_ms: 1000, kind: 'api-reset', for_ms: 600, how: 'truncated' },
    ),
  )
  await last('outage', () => play({ at_ms: 400, kind: 'outage', for_ms: 1200 }))
  await last('waits-retry-after', () => waitsRetryAfter(bench))
  await check('ends-on-401', () => endsOn401(bench))
}

const followed = (service, data) => ({ ...service.env, ...env, FORMWIRE_FORM_ID: FORM, DATA: data })

async function waitsRetryAfter(bench) {
  const service = await bench.service()
  const data = bench.createFolder()
  const poller = bench.spawn(COMMAND, followed(service, data))
  const { id: first } = await service.submit()
  const handled = () => linesOf(data, 'handled.txt')
  await eventually(
    () => 'the first response was not handled',
    () => handled().length > 0,
  )
  const path = `/api/v1/forms/${FORM}/responses`
  await service.call('POST', '/faults', { path, status: 429, retry_after: RETRY_AFTER_SECONDS, times: 1 })
  const { id: second } = await service.submit()
  await eventually(
    () => 'nothing was handled after the 429',
    () => handled().length > 1,
    10_000,
  )
  await poller.stop()
  sameMembers('handled.txt', handled(), [first, second])
  const requests = await service.requests()
  const limited = requests.findIndex(({ status }) => status === 429)
  const [before, after] = requests.slice(limited, limited + 2).map((each) => Date.parse(each.received_at))
  if (after - before < RETRY_AFTER_SECONDS * 1000)
    unmet(`Retry-After was ${RETRY_AFTER_SECONDS} s, and it sent the next request after ${after - before} ms`)
}

async function endsOn401(bench) {
  const service = await bench.service()
  const [{ id }] = await service.call('GET', '/keys')
  await service.call('DELETE', `/keys/${id}`)
  const { code } = await bench.run(COMMAND, followed(service, bench.createFolder()), 8_000)
  if (code === 0) unmet('it ended with exit code 0')
  const { length } = await service.requests()
  if (length > 2) unmet(`it made ${length} requests with a key that is refused`)
}
