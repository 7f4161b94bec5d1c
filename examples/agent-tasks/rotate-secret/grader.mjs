import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, FORM, linesOf, sameMembers, unmet } from '../workbench.mjs'

export const criteria = {
  starts: 'listens on PORT',
  'accepts-current': 'handles a response while the secret of the endpoint is in the file',
  'refuses-unknown': 'refuses a delivery that is signed with a secret that is not in the file yet',
  'picks-up-new': 'handles that response on a retry, once the file has the new secret',
  'accepts-both': 'accepts deliveries signed with either secret, whichever comes first in the file',
  'refuses-removed': 'refuses deliveries signed with a secret that was removed from the file',
  'handles-once': 'has handled each response once',
}

export async function grader(bench, { must, check }) {
  const service = await bench.service()
  const file = join(bench.createFolder(), 'secrets.json')
  const configure = (...secrets) => writeFileSync(file, JSON.stringify(secrets))
  configure('whsec_of_the_last_quarter')
  const receiver = await must('starts', () => bench.listen(['node', 'receiver.mjs'], { SECRETS_FILE: file }))
  const url = `${receiver.origin}/webhooks`
  const endpoint = await service.call('POST', `/forms/${FORM}/webhooks`, { url })
  const route = `/forms/${FORM}/webhooks/${endpoint.id}`
  configure(endpoint.secret)
  /** Returns the newest delivery once an attempt has ended. */
  const attempted = (attempts) =>
    eventually(
      () => 'the delivery was not attempted',
      async () =>
        (await service.call('GET', `${route}/deliveries`)).find((each) => each.attempts >= attempts),
    )
  const handled = () => linesOf(receiver.data, 'handled.txt')

  const first = await service.submit()
  await must('accepts-current', async () => {
    const { http_status: status } = await attempted(1)
    if (status !== 200 || !handled().includes(String(first.id))) unmet(`it responded with ${status}`)
  })
  const { secret } = await service.call('POST', `${route}/rotate-secret`)
  const second = await service.submit()
  const delivery = await eventually(
    () => 'the delivery was not attempted',
    async () => {
      const log = await service.call('GET', `${route}/deliveries`)
      return log.find(({ response_id: id, attempts }) => id === second.id && attempts > 0)
    },
  )
  await check('refuses-unknown', () => {
    const { http_status: status } = delivery
    if (status === null || status < 400 || status > 499) unmet(`it responded with ${status}`)
    if (handled().includes(String(second.id))) unmet('it handled what it could not verify')
  })
  await check('picks-up-new', async () => {
    configure(secret, endpoint.secret)
    if (delivery.status !== 'pending') unmet(`the delivery is ${delivery.status}: it is not tried again`)
    await service.call('POST', `/deliveries/${delivery.id}/retry`)
    const { http_status: status } = await attempted(2)
    if (status !== 200 || !handled().includes(String(second.id))) unmet(`it responded with ${status}`)
  })
  await check('accepts-both', async () => {
    for (const order of [
      [secret, endpoint.secret],
      [endpoint.secret, secret],
    ]) {
      configure(...order)
      for (const signedWith of order) {
        if (await bench.trigger(url, signedWith)) continue
        unmet(
          `it refused the ${signedWith === secret ? 'new' : 'old'} secret, at index ${order.indexOf(signedWith)}`,
        )
      }
    }
  })
  await check('refuses-removed', async () => {
    configure(secret)
    if (await bench.trigger(url, endpoint.secret)) unmet('it accepted the old secret')
    if (!(await bench.trigger(url, secret))) unmet('it refused the new secret')
  })
  await check('handles-once', () => {
    const submitted = [first.id, second.id].map(String)
    sameMembers(
      'handled.txt',
      handled().filter((id) => submitted.includes(id)),
      submitted,
    )
  })
}
