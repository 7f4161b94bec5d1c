import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, unmet } from '../workbench.mjs'

const FORM = 'survey000001'
/** Milliseconds in which a delivery must arrive, on a busy machine too. */
const ARRIVED_MS = 20_000

/** Starts the service, the receiver with an outdated secret, and a paused endpoint with deliveries that have failed. */
export async function open(bench) {
  const service = await bench.service([{ id: FORM, title: 'Survey' }])
  const receiver = await bench.listen(['node', 'receiver.mjs'])
  const url = `${receiver.origin}/webhooks`
  const endpoint = await service.call('POST', `/forms/${FORM}/webhooks`, { url })
  const route = `/forms/${FORM}/webhooks/${endpoint.id}`
  const submit = async (email) =>
    (await service.call('POST', `/forms/${FORM}/responses`, { answers: [], deliver: true, email })).id
  const failed = [await submit('ann@example.com'), await submit('ben@example.com')]
  await eventually(
    () => 'the receiver does not respond',
    async () => (await service.call('GET', `${route}/deliveries`)).every(({ attempts }) => attempts > 0),
  )
  // Pending deliveries fail, and what is submitted now is never sent.
  await service.call('POST', `${route}/pause`)
  const unsent = [await submit('cleo@example.com'), await submit('dan@example.com')]
  const env = {
    ...service.env,
    FORMWIRE_ADMIN_TOKEN: service.token,
    FORMWIRE_FORM_ID: FORM,
    DATA: receiver.data,
    PATH: bench.path,
  }
  return { service, receiver, url, env, submit, failed, unsent }
}

export async function grade(bench, { must, check }) {
  const { service, receiver, url, env, submit, failed, unsent } = await open(bench)
  await must('repairs', async () => {
    const { code, stderr } = await bench.run(['node', 'repair.mjs'], env)
    if (code !== 0) unmet(`exit code ${code}: ${stderr.trim().split('\n').at(-1)}`)
  })
  await check('endpoint-active', async () => {
    const endpoints = await service.call('GET', `/forms/${FORM}/webhooks`)
    const active = endpoints.filter((endpoint) => endpoint.active && endpoint.url === url)
    if (active.length !== 1 || endpoints.length !== 1)
      unmet(`there are ${endpoints.length} endpoints, ${active.length} of them active with that URL`)
  })
  const has = (id) => existsSync(join(receiver.data, `${id}.json`))
  const haveAll = (ids) =>
    eventually(
      () => `response ${ids.filter((id) => !has(id)).join(', ')} is not there`,
      () => ids.every(has),
      ARRIVED_MS,
    )
  await check('new-responses', async () => haveAll([await submit('eve@example.com')]))
  await check('failed-recovered', () => haveAll(failed))
  await check('unsent-recovered', () => haveAll(unsent))
  await check('still-verifies', async () => {
    if (await bench.trigger(url, 'whsec_of_somebody_else')) unmet('it accepted another secret')
  })
}
