import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('[ERR-05] reads all three formats of an HTTP-date in Retry-After as GMT, in any time zone', () => {
  const module = new URL('../../src/http/retry-after.ts', import.meta.url).href
  const code = `
    import { readRetryAfterMs } from ${JSON.stringify(module)}
    const dates = ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994']
    const now = Date.UTC(1994, 10, 6, 8, 48, 7)
    console.log(JSON.stringify(dates.map((date) => readRetryAfterMs(new Headers({ 'retry-after': date }), now))))`
  const tsx = new URL('../../../../node_modules/.bin/tsx', import.meta.url).pathname
  const { stdout } = spawnSync(tsx, ['--conditions=@formwire/source', '--input-type=module', '-e', code], {
    encoding: 'utf8',
    cwd: new URL('../..', import.meta.url).pathname,
    env: { ...process.env, TZ: 'America/New_York' },
  })
  expect(JSON.parse(stdout)).toEqual([90_000, 90_000, 90_000])
})
