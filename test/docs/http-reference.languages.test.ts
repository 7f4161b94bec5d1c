/** The examples of the HTTP reference, which scripts/docs/openapi.ts writes, run against a reference server. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createReferenceServer } from '@formwire/reference-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Block, blocksOf } from '../../scripts/docs/markdown.ts'
import { HTTP_API, openApiPages } from '../../scripts/docs/openapi.ts'
import { bundledCode } from '../support/bundled.ts'
import { TEST_TIMEOUT_MS } from '../support/patience.ts'
import { startProgram } from '../support/spawn.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const pages = openApiPages(HTTP_API)
const blocks = pages.flatMap(({ text }) => blocksOf(text))
const inLanguage = (language: string): Block[] => blocks.filter((block) => block.language === language)

/** What is requested in the order of the pages, and the status of the response. */
const REQUESTS = [
  'GET /api/v1/me 200',
  'GET /api/v1/forms 200',
  'GET /api/v1/forms/guestvoice01 200',
  'PATCH /api/v1/forms/guestvoice01 200',
  'GET /api/v1/forms/guestvoice01/responses 200',
  'GET /api/v1/forms/guestvoice01/responses/260 200',
  'DELETE /api/v1/forms/guestvoice01/responses/260 200',
  'GET /api/v1/forms/guestvoice01/webhooks 200',
  'POST /api/v1/forms/guestvoice01/webhooks 201',
  'DELETE /api/v1/forms/guestvoice01/webhooks/2 200',
]

/** What runs a file of a language. */
const RUNNERS = { sh: ['sh', '-e'], ts: [process.execPath], python: ['python3'] } as const

describe('the HTTP reference', () => {
  it.each(Object.entries(RUNNERS))(
    'makes each request of the API in %s, and prints what it returns',
    async (language, [program, ...args]) => {
      const server = createReferenceServer({ seed: 'demo', dns: { 'hooks.example.com': ['203.0.114.1'] } })
      onTestFinished(() => server.close())
      const { url } = await server.listen({ port: 0 })
      // Those of the demo's history.
      server.app.requests.clear()
      const folder = temporaryDirectory()
      const save = (code: string): string => {
        const file = join(folder, 'example')
        writeFileSync(file, code)
        return file
      }
      for (const { code } of inLanguage(language)) {
        const file = language === 'ts' ? await bundledCode(code, import.meta.url) : save(code)
        const env = { FORMWIRE_BASE_URL: url, FORMWIRE_API_KEY: server.writeKey, HOME: folder }
        const example = startProgram(program, [...args, file], env, '')
        const { code: exitCode, stdout, stderr } = await example.finished
        expect(exitCode, `${code}\n${stderr}`).toBe(0)
        expect(stdout.trim(), code).not.toBe('')
      }
      const requests = server.app.requests.list().toReversed()
      // The overview begins with a request in a shell.
      const first = language === 'sh' ? REQUESTS.slice(0, 1) : []
      expect(requests.map(({ method, path, status }) => `${method} ${path.split('?')[0]} ${status}`)).toEqual(
        [...first, ...REQUESTS],
      )
    },
    // Each example starts a program.
    5 * TEST_TIMEOUT_MS,
  )

  it('contains no key', () => {
    expect(blocks.filter(({ code }) => /svc_\w{20}/.test(code))).toEqual([])
  })
})
