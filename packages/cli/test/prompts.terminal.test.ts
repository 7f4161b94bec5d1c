import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { type Service, SURVEY, testService } from './support/service.ts'
import { Terminal } from './support/terminal.ts'
import { until } from './support/wait.ts'

const bin = `${process.execPath} ${inject('programs').cli}`
let service: Service
let terminal: Terminal
let env: Record<string, string>

beforeEach(async () => {
  service = await testService()
  env = { ...service.env, HOME: temporaryDirectory(), TERM: 'screen' }
  terminal = new Terminal()
})
afterEach(async () => {
  await terminal.close()
})

describe('an export on a real terminal', () => {
  it('counts a rate limit down in front of the progress, on one line that leaves nothing behind', async () => {
    // The manual clock keeps the limit in place.
    service = await testService({ limits: { requestsPerMinute: 2 } })
    for (let number = 0; number < 250; number += 1)
      service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'name', value: 'N' }] })
    const file = join(temporaryDirectory(), 'all.ndjson')
    const command = `${bin} responses export ${SURVEY} --output ${file}`
    await terminal.start(command, { ...env, ...service.env }, 60, 8)
    const limited = /^rate limited; retrying in \d+ s · 100 of 252 responses \(3\d?%?…$/
    const first = await terminal.sees(limited)
    await until('the next second', async () => {
      const next = await terminal.screen()
      return next !== first && limited.test(next)
    })
    await terminal.press('C-c')
    // So small a form is written once all its pages are read.
    expect((await terminal.sees(/^code=\d+$/m)).split('\n')).toEqual([
      '– interrupted: nothing was saved',
      'code=130',
    ])
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false])
  })
})

describe('prompts on a real terminal', () => {
  it('prompts with the title before deleting, and cancels on no', async () => {
    await terminal.start(`${bin} responses delete ${SURVEY} 1`, env, 200, 10)
    await terminal.sees(/Delete response 1 of "Customer survey" .* \[y\/N\]/)
    await terminal.press('n', 'Enter')
    expect(await terminal.sees(/nothing was deleted[\s\S]*code=0/)).not.toContain('responses delete')
    expect(service.server.app.responses.list(SURVEY).total).toBe(2)
  })
  it('login prompts for the key and does not echo it', async () => {
    const { FORMWIRE_API_KEY: key = '', ...rest } = env
    await terminal.start(`${bin} login`, rest, 120, 10)
    await terminal.sees(/API key for http:\/\/\S+ \(hidden\):/)
    await terminal.press(key, 'Enter')
    const screen = await terminal.sees(/logged in as Ada Byron[\s\S]*code=0/)
    expect(screen).not.toContain('svc_ww')
  })
})
