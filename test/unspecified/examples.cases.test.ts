import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type FormwireKit, startFormwire } from '@formwire/reference-server/testing'
import { Formwire, memoryCheckpoint } from '@formwire/sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { detractorAlerts } from '../../examples/jest/src/detractor-alerts.ts'
import { type Config, type Contact, crmReceiver } from '../../examples/node-test/src/forward-to-crm.ts'
import { closeFullForms } from '../../examples/vitest/src/auto-close.ts'
import { PATIENT } from '../support/patience.ts'
import { FORM, NOON, SEED, SWEEP } from './support.ts'

let kit: FormwireKit | undefined
afterEach(() => kit?.close())

describe('the examples with any unspecified behaviour', () => {
  it.each(SWEEP)('[ENV-04] works with %s', async (unspecified) => {
    kit = await startFormwire({ seed: SEED, now: NOON, unspecified })
    const { server } = kit
    const formwire = new Formwire(kit.clientOptions)

    const checkpoint = memoryCheckpoint()
    await detractorAlerts(formwire, FORM, checkpoint)
    const contacts: Contact[] = []
    const config: Config = { secret: '', now: () => server.clock.now() }
    const receiver = crmReceiver(config, async (contact) => void contacts.push(contact)).listen(
      0,
      '127.0.0.1',
    )
    try {
      await once(receiver, 'listening')
      const { port } = receiver.address() as AddressInfo
      config.secret = (await server.app.webhooks.create(FORM, { url: `http://127.0.0.1:${port}/` })).secret
      const { id } = server.app.responses.create(FORM, {
        answers: [
          { question_id: 'short_text', value: 'Ada' },
          { question_id: 'email', value: 'ada@example.com' },
          { question_id: 'nps', value: 4 },
        ],
        deliver: true,
      })
      await kit.waitForDelivery({ status: 'delivered', response_id: id }, PATIENT)
      expect(contacts).toEqual([{ responseId: id, email: 'ada@example.com' }])
      expect(await detractorAlerts(formwire, FORM, checkpoint)).toEqual([
        { responseId: id, score: 4, email: null },
      ])
      expect(await closeFullForms(formwire, 31)).toEqual([FORM])
    } finally {
      receiver.close()
      receiver.closeAllConnections()
    }
  })
})
