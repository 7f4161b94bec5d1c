import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { makeFolder } from '@formwire/internal/files'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { PAYLOAD } from '../support/listen.ts'
import { runCli } from '../support/run-cli.ts'
import { oneService, SURVEY } from '../support/service.ts'

const service = oneService()

const MARK = '\uFEFF'
const EVENT = JSON.stringify({ event: 'test.ping', ...PAYLOAD })
const PROFILES = JSON.stringify({
  current: null,
  profiles: { one: { base_url: 'https://x.example', api_key: 'k' } },
})

it.each<[string, string | (() => Promise<string>), number, string, string?]>([
  ['replay @ --forward-to 9', EVENT, 6, ''],
  ['trigger test.ping --forward-to 9 --data @', EVENT, 6, ''],
  [`responses submit ${SURVEY} --data @`, '{"name":"Ada"}', 0, '4\tsubmitted\n'],
  [`responses submit ${SURVEY} --data -`, '{"name":"Ada"}', 0, '5\tsubmitted\n', 'stdin'],
  [`responses delete ${SURVEY} --dry-run --from-file @`, '1\n', 0, '1'],
  ['profiles list', PROFILES, 0, 'one\thttps://x.example\t\n', 'profiles.json'],
  [`types ${SURVEY} --check @`, async () => (await run(`types ${SURVEY}`)).stdout, 0, ''],
])('%s skips a byte order mark, and names UTF-16', async (line, text, code, stdout, input = '@') => {
  const content = typeof text === 'string' ? text : await text()
  const marked = await run(line, MARK + content)
  expect([marked.code, marked.stderr.includes('JSON')], marked.stderr).toEqual([code, false])
  expect(marked.stdout).toContain(stdout)
  const utf16 = await run(line, Buffer.from(MARK + content, 'utf16le'))
  expect([utf16.code, utf16.stderr.split('\n')[0]]).toEqual([
    2,
    expect.stringMatching(/^formwire: \S+ is in UTF-16; save it as UTF-8$/),
  ])
  expect(utf16.stderr).toContain(input === '@' ? '@ is' : `${input} is`)
})

/** Runs a command line in which `@` stands for a file with the content, which is also that of stdin and of the profiles. */
async function run(line: string, content: string | Buffer = '') {
  const homeDir = temporaryDirectory()
  const file = join(homeDir, 'formwire/profiles.json')
  const path = line.startsWith('profiles') ? file : join(homeDir, 'file')
  await makeFolder(join(homeDir, 'formwire'))
  writeFileSync(path, content)
  const result = await runCli(
    line.split(' ').map((word) => (word === '@' ? path : word)),
    {
      env: { ...service.env, XDG_CONFIG_HOME: homeDir, FORMWIRE_WEBHOOK_SECRET: 'whsec_test' },
      stdin: Readable.from([Buffer.from(content as string)]),
    },
  )
  return { ...result, stderr: result.stderr.replaceAll(path, path === file ? 'profiles.json' : '@') }
}
