/** What a fleet reports of failures. */
import { expect, it, vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { describeOnPostgres } from '../support/describe-on-postgres.ts'
import { type FleetProcess, fleetDatabase, startMain, until, workspaceOf } from '../support/fleet.ts'
import { type Service, startService } from '../support/service.ts'

/** Starts a service with forms of three responses each. */
async function withForms(count: number): Promise<{ service: Service; forms: string[] }> {
  const service = await startService({ journalSize: 10_000 })
  const forms = Array.from({ length: count }, (_, index) => service.filled(3, `Form ${index}`))
  return { service, forms }
}

const recoveredOf = (worker: FleetProcess) =>
  worker.events().flatMap(({ event, workspace }) => (event === 'recovered' ? [workspace] : []))
const errorsOf = (worker: FleetProcess) => worker.events().filter(({ event }) => event === 'error')

describeOnPostgres((serverUrl) => {
  it('[ME-01] refuses a second service whose workspace has the same id in one schema', async () => {
    const services = [(await withForms(1)).service.server, (await withForms(1)).service.server]
    const { url, rows } = await fleetDatabase(serverUrl())
    const [eu, us] = await Promise.all(
      services.map((server, at) => workspaceOf(['eu', 'us'][at] ?? '', server)),
    )
    const workspaces = [eu, us].map((workspace) => ({ ...workspace, schema: 'shared' }) as never)
    const worker = await startMain(url, { workspaces })
    await until(() => errorsOf(worker).length > 0)
    expect(errorsOf(worker)).toMatchObject([
      {
        error: { code: 'other_workspace', message: expect.stringContaining('both have the id 1 and would') },
      },
    ])
    worker.child.kill('SIGTERM')
    await startMain(url, { workspaces: [eu, us] as never, queueSchema: 'others' })
    await until(async () => (await rows('eu')) + (await rows('us')) === 6)
  })

  it('keeps what stopped a workspace while a round of it was in progress', async () => {
    const { service } = await withForms(1)
    const { url, query } = await fleetDatabase(serverUrl())
    const { faults } = service.server.app
    const applied = (path: string) => faults.list().find((fault) => fault.path === path)?.times !== 9
    const [forms, responses] = ['/api/v1/forms', '/api/v1/forms/*/responses']
    faults.add({ path: responses, status: 401, delay_ms: 7000, times: 9 })
    const worker = await startMain(url, { service })
    await vi.waitUntil(() => applied(responses), { timeout: WAIT_MS, interval: 20 })
    faults.add({ path: forms, delay_ms: 9000, times: 9 })
    await vi.waitUntil(() => applied(forms), { timeout: WAIT_MS, interval: 20 })
    await until(() => errorsOf(worker).length > 0)
    const active = "SELECT FROM formwire_queue.job WHERE name = 'formwire-rounds' AND state <> 'completed'"
    await until(async () => (await query(active)).length === 0)
    worker.child.kill('SIGTERM')
    await worker.finished
    expect(await query('SELECT name, error FROM formwire_queue.formwire_fleet')).toEqual([
      { name: 'main', error: 'unauthorized' },
    ])
  })

  it('[ME-01] blames the service that is down alone, and reads the other one that shares its schema', async () => {
    const well = await withForms(1)
    const { service: down } = await withForms(1)
    const { app, userId } = down.server
    const { id: workspace_id } = app.workspaces.create({ name: 'Other', plan: 'business' })
    app.members.set(workspace_id, userId, 'owner')
    const apiKeys = [app.keys.create({ name: 'fleet', scope: 'read', workspace_id }).key]
    const { id: theirs } = app.forms.create({ title: 'Theirs', questions: [], workspace_id })
    app.forms.publish(theirs)
    app.responses.create(theirs, { answers: [] })
    const { url, rows } = await fleetDatabase(serverUrl())
    const workspaces = [
      { ...(await workspaceOf('eu', well.service.server)), schema: 'shared' },
      { ...(await workspaceOf('us', down.server)), schema: 'shared', apiKeys },
      await workspaceOf('apart', (await withForms(1)).service.server),
    ]
    const start = () => startMain(url, { workspaces })
    const blamesOne = async (worker: FleetProcess) => {
      const outages = async () =>
        expect((await worker.status()).outages).toEqual({ eu: null, us: 'http_503', apart: null })
      await vi.waitFor(outages, { timeout: WAIT_MS })
      expect(new Set(errorsOf(worker).map(({ workspace }) => workspace))).toEqual(new Set(['us']))
    }
    const { id } = app.faults.add({ path: '/api/v1/me', status: 503 })
    const first = await start()
    await until(async () => (await rows('shared')) === 3 && errorsOf(first).length > 0)
    await blamesOne(first)
    app.faults.remove(id)
    await until(async () => (await rows('shared')) === 4)
    first.child.kill('SIGKILL')
    await first.finished
    // From then on, each goes on without the other.
    app.faults.add({ path: '/api/v1/me', status: 503 })
    well.service.add(well.forms[0] as string, 1, () => '2026-11-21T11:00:00.000Z')
    const second = await start()
    await until(async () => (await rows('shared')) === 5 && errorsOf(second).length > 0)
    await blamesOne(second)
  })

  it('[RATE-03] reports once that the service refuses the requests of many jobs', async () => {
    const { service } = await withForms(12)
    const { url, rows } = await fleetDatabase(serverUrl())
    const { faults, requests } = service.server.app
    const { id } = faults.add({ path: '/api/v1/forms/*/responses', status: 429, retry_after: 1 })
    // No round ends meanwhile, which would say that the service works.
    const worker = await startMain(url, { service, intervalMs: 60_000 })
    const refused = () => requests.list().filter(({ status }) => status === 429).length
    await until(() => refused() >= 12)
    faults.remove(id)
    await until(async () => (await rows('main')) === 36)
    expect(errorsOf(worker)).toMatchObject([{ workspace: 'main', error: { name: 'RateLimitError' } }])
  })

  it('[AUTH-12] reports an id of a form that does not exist once, and once per outage that the service is unavailable and available again', async () => {
    const { service, forms } = await withForms(1)
    const { url, rows } = await fleetDatabase(serverUrl())
    const workspace = { ...(await workspaceOf('main', service.server)), forms: [...forms, 'nowhere00001'] }
    const worker = await startMain(url, { workspaces: [workspace] })
    await until(async () => (await rows('main')) === 3)
    const { faults, requests } = service.server.app
    const answered = (isRight: (status: number | null) => boolean) =>
      requests.list().filter(({ status }) => isRight(status)).length
    const lists = () => requests.list().filter(({ path }) => path === '/api/v1/forms').length
    const listed = lists()
    // The job that has written the rows ends, which would say that the service works.
    await until(() => lists() >= listed + 2)
    expect(errorsOf(worker)).toEqual([
      {
        event: 'error',
        workspace: 'main',
        error: {
          name: 'UnknownFormsError',
          code: 'not_found',
          message: 'Form not found: "nowhere00001". Check the ids and the workspace of the key.',
        },
      },
    ])
    for (let outage = 1; outage <= 2; outage += 1) {
      // The second one is a page of a proxy, which says nothing about the key.
      const status = outage === 1 ? 503 : 403
      const { id } = faults.add({ path: '/api/v1/forms', status, body: 'html' })
      await until(() => answered((one) => one === status) >= 3)
      faults.remove(id)
      const before = answered((status) => status === 200)
      await until(() => answered((status) => status === 200) > before + 1)
      await until(() => recoveredOf(worker).length >= outage)
      expect(errorsOf(worker)).toHaveLength(1 + outage)
    }
    expect(recoveredOf(worker)).toEqual(['main', 'main'])
    const asked = requests.list().filter(({ path }) => path.endsWith('/nowhere00001'))
    expect(asked).toEqual([])
  })
})
