import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createReceiver, WebhookVerificationError } from '@formwire/webhook-verify'
import { createFileSecrets } from '@formwire/webhook-verify/secrets'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { describeSecrets, FORM, storedSecret } from './secrets-suite.ts'

const newFile = (): string => join(mkdtempSync(join(temporaryDirectory(), 'secrets-')), 'secrets.json')

describeSecrets('file', async () => {
  const path = newFile()
  // A receiver starts when the file exists.
  writeFileSync(path, '{"version":1,"endpoints":[]}')
  return createFileSecrets(path)
})

describe('secrets (file)', () => {
  it.skipIf(process.platform === 'win32')(
    'writes a file that only its owner can read, through a symbolic link too',
    async () => {
      const path = newFile()
      await createFileSecrets(path).save(storedSecret(FORM, 1))
      expect(statSync(path).mode & 0o777).toBe(0o600)
      symlinkSync(path, `${path}.link`)
      await createFileSecrets(`${path}.link`).save(storedSecret(FORM, 2))
      expect((await createFileSecrets(path).list('1')).map(({ webhook_id }) => webhook_id)).toEqual([1, 2])
      expect(readdirSync(join(path, '..')).sort()).toEqual(['secrets.json', 'secrets.json.link'])
    },
  )

  it('loses nothing when several writers save at the same time', async () => {
    const path = newFile()
    const ids = Array.from({ length: 20 }, (_, index) => index + 1)
    await Promise.all(ids.map((id) => createFileSecrets(path).save(storedSecret(FORM, id))))
    const stored = await createFileSecrets(path).list('1')
    expect(stored.map(({ webhook_id }) => webhook_id).sort((a, b) => a - b)).toEqual(ids)
  })

  it('ignores the lock of a writer that was killed', async () => {
    const path = newFile()
    writeFileSync(`${path}.lock`, '')
    const longAgo = Date.now() / 1000 - 60
    utimesSync(`${path}.lock`, longAgo, longAgo)
    await createFileSecrets(path).save(storedSecret(FORM, 1))
    expect(await createFileSecrets(path).list('1')).toHaveLength(1)
  })

  it('refuses a file with another content, and leaves it as it is', async () => {
    const path = newFile()
    for (const content of ['precious', '{"version":2,"endpoints":[]}', '{"version":1,"endpoints":[{}]}']) {
      writeFileSync(path, content)
      await expect(createFileSecrets(path).save(storedSecret(FORM, 1))).rejects.toThrow(
        `${path} is not a file of webhook secrets.`,
      )
      expect(readFileSync(path, 'utf8')).toBe(content)
    }
  })

  it('responds with 503 while the file does not exist, so that the service retries', async () => {
    const errors: unknown[] = []
    const receive = createReceiver({
      secret: createFileSecrets(newFile()).secret,
      on: {},
      onError: (error) => errors.push(error),
    })
    const body = JSON.stringify({ form: { id: FORM } })
    expect(await receive({ headers: {}, body })).toMatchObject({ status: 503 })
    expect(errors).toEqual([expect.objectContaining({ code: 'ENOENT' })])
  })

  it('refuses an empty path', () => {
    expect(() => createFileSecrets('')).toThrow(WebhookVerificationError)
  })
})
