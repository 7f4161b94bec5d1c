import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import { outcome, runCli } from '../support/run-cli.ts'
import { oneService, PARTY, SURVEY, testService } from '../support/service.ts'

const service = oneService()
const cli = (argv: string[], terminal?: number) =>
  runCli(argv, { env: { ...service.env, NO_COLOR: '1' }, ...(terminal === undefined ? {} : { terminal }) })

// They follow endpoints from their creation to their end.
describe('formwire webhooks', { shuffle: false }, () => {
  it('[HOOK-07] lists the health of the endpoints of a server on this machine with its admin token', async () => {
    const list = async (token: string) => {
      const env = { ...service.env, NO_COLOR: '1', FORMWIRE_ADMIN_TOKEN: token }
      const { code, stdout, stderr } = await runCli(['webhooks', 'list', SURVEY], { env, terminal: 80 })
      return [code, stdout.split('\n')[0], stderr]
    }
    expect(await list(service.server.adminToken)).toEqual([
      0,
      'ID  URL                      HEALTH  CREATED',
      '',
    ])
    const unknown = [0, 'ID  URL                      STATUS  CREATED', '']
    expect(await list('other')).toEqual(unknown)
    expect(await list('')).toEqual(unknown)
  })

  it('does not ask for the health of endpoints where it is not shown', async () => {
    const paths: string[] = []
    const onRequest = (message: unknown) => paths.push((message as { request: ClientRequest }).request.path)
    subscribe('http.client.request.start', onRequest)
    await cli(['webhooks', 'list', SURVEY])
    await cli(['webhooks', 'list', SURVEY, '--json'], 80)
    await cli(['webhooks', 'list', SURVEY, '--format', 'csv'], 80)
    unsubscribe('http.client.request.start', onRequest)
    expect(paths).toEqual(Array(3).fill(`/api/v1/forms/${SURVEY}/webhooks`))
  })

  it('[HOOK-02] create prints the secret on stdout only', async () => {
    const { stdout, stderr, code } = await cli(['webhooks', 'create', PARTY, 'http://127.0.0.1:9/new'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^id\t2\nurl\thttp:\/\/127\.0\.0\.1:9\/new\nactive\ttrue\ncreated_at\t2026-11-21T12:00:00\.000Z\nsecret\twhsec_\w+\n$/,
    )
    expect(stderr).toBe("Save this secret now. It won't be shown again.\n")
  })

  it('[HOOK-04] exits with 1 and names the field for a URL that is not allowed', async () => {
    const { code, stdout, stderr } = await cli(['webhooks', 'create', PARTY, 'ftp://127.0.0.1/x', '--json'])
    expect([code, stdout]).toEqual([1, ''])
    expect(JSON.parse(stderr).error.details.field).toBe('url')
  })

  it('[HOOK-03] delete requires --yes without a terminal, and accepts 200 and 204', async () => {
    expect((await cli(['webhooks', 'delete', PARTY, '2'])).code).toBe(2)
    expect(await cli(['webhooks', 'delete', PARTY, '2', '--yes', '--json'])).toEqual(
      outcome(0, '{"id":2,"deleted":true}\n'),
    )
    expect((await cli(['webhooks', 'delete', PARTY, '2', '--yes'])).code).toBe(3)
    const other = await testService({ unspecified: { webhookDelete: '204' } as never })
    const argv = ['webhooks', 'delete', SURVEY, '1', '--yes', '--json']
    expect(await runCli(argv, { env: other.env })).toEqual(outcome(0, '{"id":1,"deleted":true}\n'))
  })

  it.each([undefined, 80])(
    'delete of an unknown endpoint names it and the form (%s columns)',
    async (terminal) => {
      const { stderr, code } = await runCli(
        ['webhooks', 'delete', SURVEY, '99', ...(terminal ? [] : ['--yes'])],
        {
          env: { ...service.env, NO_COLOR: '1' },
          ...(terminal ? { terminal, errorTerminal: true, reply: 'yes\n' } : {}),
        },
      )
      expect(code).toBe(3)
      expect(stderr).toMatch(
        new RegExp(`^${terminal ? '✗' : 'formwire:'} webhook endpoint 99 of form ${SURVEY} not found\n`),
      )
    },
  )

  it('prompts with the URL and the title on a terminal', async () => {
    const { stderr, code } = await runCli(['webhooks', 'delete', SURVEY, '1'], {
      env: { ...service.env, NO_COLOR: '1' },
      terminal: 80,
      errorTerminal: true,
      reply: 'no\n',
    })
    expect(code).toBe(0)
    expect(stderr).toBe(
      'Delete webhook endpoint 1 (http://127.0.0.1:9/hook) of "Customer survey" with\nits delivery log? This cannot be undone. [y/N] – nothing was deleted\n',
    )
  })
})
