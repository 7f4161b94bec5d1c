import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { expect, it } from 'vitest'
import { read } from '../../scripts/project/project.ts'
import { temporaryDirectory } from '../support/temporary.ts'

it('signature-mismatch.md has a command line that computes the signature of a delivery', () => {
  const secret = 'whsec_test'
  const { headers, body } = createDelivery({ secret })
  const folder = temporaryDirectory()
  writeFileSync(join(folder, 'body.json'), body)
  const page = read('docs/how-to/signature-mismatch.md')
  const [, command = ''] = /^(\{ printf .*)$/m.exec(page) ?? []
  const env = {
    ...process.env,
    TIMESTAMP: headers['X-Service-Timestamp'],
    FORMWIRE_WEBHOOK_SECRET: secret,
  }
  const printed = execFileSync('bash', ['-c', command], { cwd: folder, env, encoding: 'utf8' })
  expect(`sha256=${printed.trim().split(' ').at(-1)}`).toBe(headers['X-Service-Signature'])
})
