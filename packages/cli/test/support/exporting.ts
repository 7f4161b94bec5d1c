import { serve } from '../../../../test/support/serve.ts'
import { Stopped } from '../../src/failure.ts'
import { type CliOptions, runCli } from './run-cli.ts'
import { type Service, SURVEY } from './service.ts'

/** What the tests of `responses export` share. @param service the one of the test */
export function exporting(service: () => Service) {
  const cli = (argv: string[], more: CliOptions = {}) =>
    runCli(['responses', 'export', SURVEY, ...argv], {
      retriesAtOnce: true,
      ...more,
      env: { ...service().env, NO_COLOR: '1', ...more.env },
    })

  /** Adds responses one second apart, after those of the seed. */
  function fill(count: number): void {
    for (let number = 0; number < count; number += 1) {
      service().server.app.responses.create(SURVEY, {
        answers: [{ question_id: 'name', value: `N${number}` }],
        submitted_at: new Date(Date.parse('2026-11-21T11:31:00.000Z') + number * 10).toISOString(),
      })
    }
  }

  /** Starts a proxy to the service(). `onRequest` gets the number of the request and its path, and may return a response in its place. */
  async function proxy(
    onRequest: (
      number: number,
      path: string,
    ) => { status: number; headers?: Record<string, string> } | undefined,
  ): Promise<string> {
    let number = 0
    return await serve(async (request, response) => {
      number += 1
      const instead = onRequest(number, request.url ?? '')
      if (instead) {
        const error = { code: instead.status === 429 ? 'rate_limited' : 'server_error', message: 'No.' }
        response.writeHead(instead.status, { 'content-type': 'application/json', ...instead.headers })
        response.end(JSON.stringify({ error }))
        return
      }
      const answer = await service().server.fetch(
        new Request(`${service().url}${request.url}`, {
          headers: { authorization: request.headers.authorization ?? '' },
        }),
      )
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
  }

  /** Returns the options of a command that goes through such a proxy. */
  const through = async (onRequest: Parameters<typeof proxy>[0]) => ({
    env: { FORMWIRE_BASE_URL: await proxy(onRequest) },
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

  return { cli, fill, counted, stoppedAt, through }
}
