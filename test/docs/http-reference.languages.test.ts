/** The examples of the HTTP reference, which scripts/docs/openapi.ts writes, run against a reference server. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createReferenceServer } from '@formwire/reference-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { blocksOf } from '../../scripts/docs/markdown.ts'
import { HTTP_API, openApiPages } from '../../scripts/docs/openapi.ts'
import { bundledCode } from '../support/bundled.ts'
import { startProgram } from '../support/spawn.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const blocks = openApiPages(HTTP_API).flatMap(({ text }) => blocksOf(text))

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

/** Printed after each example. */
const END = '(end of the example)'
const IMPORT = "import { Formwire } from '@formwire/sdk'\n"

/** What runs the examples of a language, and an example within one program: to start a program for each takes most of the time. */
const LANGUAGES: Record<string, readonly [program: readonly string[], within: (code: string) => string]> = {
  sh: [['sh', '-e'], (code) => `(\n${code})\necho '${END}'\n`],
  ts: [[process.execPath], (code) => `{\n${code.replace(IMPORT, '')}}\n;console.log('${END}')\n`],
  python: [['python3', '-u'], (code) => `exec(${JSON.stringify(code)}, {})\nprint('${END}')\n`],
}

describe('the HTTP reference', () => {
  it.each(Object.entries(LANGUAGES))(
    'makes each request of the API in %s, and prints what it returns',
    async (language, [[program = '', ...args], within]) => {
      const server = createReferenceServer({ seed: 'demo', dns: { 'hooks.example.com': ['203.0.114.1'] } })
      onTestFinished(() => server.close())
      const { url } = await server.listen({ port: 0 })
      // Those of the demo's history.
      server.app.requests.clear()
      const examples = blocks.filter((block) => block.language === language).map(({ code }) => code)
      const text = examples.map(within).join('')
      const folder = temporaryDirectory()
      const saved = join(folder, 'examples')
      if (language !== 'ts') writeFileSync(saved, text)
      const file = language === 'ts' ? await bundledCode(IMPORT + text, import.meta.url) : saved
      const env = { FORMWIRE_BASE_URL: url, FORMWIRE_API_KEY: server.writeKey, HOME: folder }
      const { code, stdout, stderr } = await startProgram(program, [...args, file], env, '').finished
      const printed = stdout.split(`${END}\n`)
      expect({ code, last: printed.pop() }, `${stdout}\n${stderr}`).toEqual({ code: 0, last: '' })
      expect(printed).toHaveLength(examples.length)
      expect(printed.filter((output) => output.trim() === '')).toEqual([])
      const requests = server.app.requests.list().toReversed()
      // The overview begins with a request in a shell.
      const first = language === 'sh' ? REQUESTS.slice(0, 1) : []
      expect(requests.map(({ method, path, status }) => `${method} ${path.split('?')[0]} ${status}`)).toEqual(
        [...first, ...REQUESTS],
      )
    },
  )

  it('contains no key', () => {
    expect(blocks.filter(({ code }) => /svc_\w{20}/.test(code))).toEqual([])
  })
})
