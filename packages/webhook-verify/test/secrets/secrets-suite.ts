import { createReceiver, signWebhook } from '@formwire/webhook-verify'
import type { SecretStore, StoredSecret } from '@formwire/webhook-verify/secrets'
import { beforeEach, describe, expect, it } from 'vitest'

export const FORM = '8hTq2LmVx4Rb'
const OTHER = 'Fm3xAmpLe0Id'

/** What is stored of an endpoint. */
export const storedSecret = (form_id: string, webhook_id: number, more: Partial<StoredSecret> = {}) => ({
  workspace_id: '1',
  form_id,
  webhook_id,
  url: `https://hooks.example.com/${form_id}`,
  secret: `whsec_${form_id}_${webhook_id}`,
  removed_at: null,
  ...more,
})

/** The cases that every store of secrets must pass. */
export function describeSecrets(name: string, open: () => Promise<SecretStore>): void {
  describe(`secrets (${name})`, () => {
    let store: SecretStore
    beforeEach(async () => {
      store = await open()
    })

    /** Returns the status for a delivery of a form, signed with a secret. */
    async function statusOf(form: string, secret: string): Promise<number> {
      const receive = createReceiver({
        secret: store.secret,
        on: { 'response.submitted': () => undefined },
        onError: () => undefined,
      })
      const response = {
        id: 1,
        submitted_at: '2026-11-21T12:00:00Z',
        answers: [],
        score: null,
        max_score: null,
      }
      const payload = { form: { id: form, title: 'Survey' }, response: { ...response, meta: {} } }
      return (await receive(signWebhook({ secret, event: 'response.submitted', payload }))).status
    }

    it('[DLV-10] accepts a delivery that is signed with a secret of the form that it names, and no other', async () => {
      await store.save(storedSecret(FORM, 1))
      await store.save(storedSecret(OTHER, 2))
      expect(await statusOf(FORM, `whsec_${FORM}_1`)).toBe(200)
      expect(await statusOf(OTHER, `whsec_${OTHER}_2`)).toBe(200)
      expect(await statusOf(FORM, `whsec_${OTHER}_2`)).toBe(401)
      expect(await statusOf('unknown00000', `whsec_${FORM}_1`)).toBe(401)
    })

    it('accepts the secrets of all endpoints of a form until they are removed', async () => {
      await store.save(storedSecret(FORM, 1))
      await store.save(storedSecret(FORM, 2))
      expect(await statusOf(FORM, `whsec_${FORM}_1`)).toBe(200)
      await store.save(storedSecret(FORM, 1, { removed_at: '2026-11-21T12:00:00.000Z' }))
      expect(await statusOf(FORM, `whsec_${FORM}_1`)).toBe(200)
      await store.remove({ form_id: FORM, webhook_id: 1 })
      expect(await statusOf(FORM, `whsec_${FORM}_1`)).toBe(401)
      expect(await statusOf(FORM, `whsec_${FORM}_2`)).toBe(200)
    })

    it('lists the secrets of one workspace, and replaces that of an endpoint', async () => {
      expect(await store.list('1')).toEqual([])
      await store.save(storedSecret(FORM, 1))
      await store.save(storedSecret(FORM, 1, { secret: 'whsec_new' }))
      await store.save(storedSecret(OTHER, 2, { workspace_id: '2' }))
      expect(await store.list('1')).toEqual([storedSecret(FORM, 1, { secret: 'whsec_new' })])
      expect(await statusOf(FORM, 'whsec_new')).toBe(200)
      expect(await statusOf(FORM, `whsec_${FORM}_1`)).toBe(401)
    })

    it.each(['', '{', 'null', '[]', '{"form":null}', '{"form":{"id":7}}', '{"form":{"id":"a\\u0000b"}}'])(
      'finds no secret for the body %j',
      async (body) => {
        await store.save(storedSecret(FORM, 1))
        expect(await store.secret({ headers: {}, url: '/', body })).toBe(null)
        expect(await store.secret({ headers: {}, url: '/', body: new TextEncoder().encode(body) })).toBe(null)
      },
    )
  })
}
