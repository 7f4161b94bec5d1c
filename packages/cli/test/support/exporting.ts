import { Stopped } from '../../src/failure.ts'
import { type CliOptions, runCli } from './run-cli.ts'
import { behind, fill, type Instead, type Service, SURVEY } from './service.ts'

/** What the tests of `responses export` share. @param service the one of the test */
export function exporting(service: () => Service) {
  const cli = (argv: string[], more: CliOptions = {}) =>
    runCli(['responses', 'export', SURVEY, ...argv], {
      retriesAtOnce: true,
      ...more,
      env: { ...service().env, NO_COLOR: '1', ...more.env },
    })

  /** Returns the options of a command whose requests go through a proxy, which may respond in place of the service. */
  const through = async (instead: (number: number, path: string) => Instead | undefined) => ({
    env: {
      FORMWIRE_BASE_URL: await behind(service(), (number, { pathname, search }) => {
        const given = instead(number, pathname + search)
        const code = given?.status === 429 ? 'rate_limited' : 'server_error'
        const headers = { 'content-type': 'application/json', ...given?.headers }
        return given && { body: JSON.stringify({ error: { code, message: 'No.' } }), ...given, headers }
      }),
    },
  })

  /** Returns the options of a command whose requests are counted, and their number so far. */
  async function counted() {
    let requests = 0
    const options = await through((number) => {
      requests = number
      return undefined
    })
    return { options, requests: () => requests }
  }

  /** Returns the options of a command that is interrupted at a request. */
  async function stoppedAt(request: number) {
    const stop = new AbortController()
    const abort = (number: number) => {
      if (number === request) stop.abort(new Stopped('interrupted'))
      return undefined
    }
    return { ...(await through(abort)), stop: stop.signal }
  }

  return { cli, fill: (count: number) => fill(service(), count), counted, stoppedAt, through }
}
