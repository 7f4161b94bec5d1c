import type { Formwire } from '@formwire/sdk'
import { expect, it } from 'vitest'
import { eventOf, type Service, startService } from '../support/service.ts'
import type { StoreSuite } from './suite.ts'

const OTHER_WORKSPACE = { name: 'StoreError', code: 'other_workspace', isPassing: false }
const OURS = [{ title: 'Ours', deleted_at: null }]
const QUESTIONS = [{ id: 'nps', type: 'nps', title: 'Would you recommend us?' }]

/** Other workspaces and services, and what the table of forms has. */
function othersOf(suite: StoreSuite) {
  /** Creates another workspace with a form of one response. */
  function otherWorkspace(): { formwire: Formwire; form: string; key(): Formwire } {
    const { app, userId } = suite.service.server
    const { id: workspace_id } = app.workspaces.create({ name: 'Other', plan: 'business' })
    app.members.set(workspace_id, userId, 'owner')
    const key = (): Formwire =>
      suite.service.client({ apiKey: app.keys.create({ name: 'other', scope: 'read', workspace_id }).key })
    const { id: form } = app.forms.create({ title: 'Theirs', questions: QUESTIONS, workspace_id })
    app.forms.publish(form)
    app.responses.create(form, { answers: [{ question_id: 'nps', value: 9 }] })
    return { formwire: key(), form, key }
  }

  const forms = (): Promise<unknown[]> =>
    suite.query('SELECT title, deleted_at FROM formwire_forms ORDER BY title')

  /** A client of the service, or of another one with a workspace of the same id. */
  const at = (baseUrl: string, service = suite.service): Formwire =>
    service.client({
      baseUrl,
      allowInsecure: true,
      fetch: (...[input, init]: Parameters<typeof fetch>) => {
        const request = new Request(input, init)
        return service.server.fetch(new Request(request.url.replace('/base/', '/'), request))
      },
    })

  return { otherWorkspace, forms, at }
}

/** Any number of workspaces share a database. */
export function describeWorkspaces(suite: StoreSuite): void {
  const { otherWorkspace, forms, at } = othersOf(suite)

  /** Ids of the rows of a form in a workspace. */
  const rowsOf = async (
    workspace: string,
    form: string,
    condition = 'deleted_at IS NULL',
  ): Promise<number[]> =>
    (
      await suite.query(
        `SELECT id FROM formwire_responses WHERE workspace_id = ? AND form_id = ? AND ${condition} ORDER BY id`,
        [workspace, form],
      )
    ).map(({ id }) => Number(id))

  it.each(['one store', 'two stores'])(
    'keeps two workspaces apart whose forms have the same ids, in %s of a database',
    async (stores) => {
      const form = suite.service.form('Ours')
      const gone = suite.service.form('Gone')
      const ids = suite.service.add(form, 30)
      const draft = suite.service.server.app.responses.create(form, { status: 'in_progress' }).id
      const other = await twinOf(suite.service)
      const store = suite.database.store()
      const ours = suite.sync('all', { store, drafts: true })
      const theirs = suite.sync('all', {
        store: stores === 'one store' ? store : suite.database.store(),
        formwire: other.formwire,
        drafts: true,
        deleted: 'erase',
      })
      const both = async (): Promise<unknown> =>
        [await ours.once(), await theirs.once(), await ours.once(), await theirs.once()].map(
          ({ inserted, updated, deleted }) => [inserted, updated, deleted],
        )
      expect(await both()).toEqual([
        [31, 0, 0],
        [31, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ])
      // Each changes on its own.
      other.server.app.responses.delete(form, ids[3] as number)
      other.server.app.responses.delete(form, draft)
      other.server.app.forms.trash(gone)
      suite.service.add(form, 2, () => '2026-11-21T11:00:00.000Z')
      expect(await both()).toEqual([
        [2, 0, 0],
        [0, 0, 2],
        [0, 0, 0],
        [0, 0, 0],
      ])
      for (const [sync, nps] of [
        [ours, 1],
        [theirs, 2],
      ] as const)
        await sync.handlers['response.submitted'](eventOf(form, 98, { answers: { nps }, type: 'nps' }))
      const submitted = "deleted_at IS NULL AND status = 'submitted'"
      expect(await rowsOf('1', form, submitted)).toEqual([...suite.service.submitted(form), 98])
      expect(await rowsOf('2', form, submitted)).toEqual([...other.submitted(form), 98])
      expect(await rowsOf('1', form, 'deleted_at IS NOT NULL')).toEqual([])
      expect(await rowsOf('2', form, 'deleted_at IS NOT NULL AND answers IS NULL')).toEqual([ids[3], draft])
      // The service does not have what was delivered: each is settled in the rounds of its own workspace.
      expect(await both()).toEqual([
        [0, 0, 1],
        [0, 0, 1],
        [0, 0, 0],
        [0, 0, 0],
      ])
      expect(
        await suite.query(
          'SELECT workspace_id, title, deleted_at IS NULL AS live FROM formwire_forms ORDER BY workspace_id, title',
        ),
      ).toEqual(
        [
          ['1', 'Gone', true],
          ['1', 'Ours', true],
          ['2', 'Gone', false],
          ['2', 'Ours', true],
        ].map(([workspace_id, title, live]) => ({
          workspace_id,
          title,
          live: store.dialect.name === 'postgres' ? live : Number(live),
        })),
      )
      const view = `formwire_form_${form.toLowerCase()}`
      for (const [name, rows] of [
        [view, suite.service.submitted(form)],
        [`${view}_2`, other.submitted(form)],
      ] as const)
        expect((await suite.query(`SELECT id FROM ${name} ORDER BY id`)).map(({ id }) => Number(id))).toEqual(
          rows,
        )
    },
  )

  it('keeps drafts, completed rows and rows that cannot be completed apart', async () => {
    const form = suite.service.form('Ours')
    const other = await twinOf(suite.service)
    const options = { drafts: true, deletions: false }
    const ours = suite.sync('all', options)
    const theirs = suite.sync('all', { ...options, formwire: other.formwire })
    for (const sync of [ours, theirs]) await sync.once()
    const draft = other.server.app.responses.create(form, { status: 'in_progress' }).id
    await theirs.once()
    await theirs.handlers['response.submitted'](eventOf(form, 99))
    await theirs.once()
    await ours.once()
    expect(await rowsOf('1', form)).toEqual([])
    expect(await rowsOf('2', form)).toEqual([draft, 99])
    expect(await suite.query('SELECT workspace_id FROM formwire_sync_settled')).toEqual([
      { workspace_id: '2' },
    ])
  })

  it('lets two workspaces start with a new database at the same time', async () => {
    const ours = suite.service.form('Ours')
    const ids = suite.service.add(ours, 1)
    const { formwire, form } = otherWorkspace()
    await Promise.all([suite.sync('all').once(), suite.sync('all', { formwire }).once()])
    expect(await forms()).toEqual([
      { title: 'Ours', deleted_at: null },
      { title: 'Theirs', deleted_at: null },
    ])
    expect(await suite.live(ours)).toEqual(ids)
    expect(await suite.live(form)).toEqual(suite.service.submitted(form))
  })

  it('lets one of two services that start with a new database at the same time have it', async () => {
    const other = await startService()
    for (const service of [suite.service, other]) service.filled(3, 'Ours')
    const results = await Promise.allSettled([
      suite.sync('all', { formwire: at('https://eu.example'), store: suite.database.store() }).once(),
      suite.sync('all', { formwire: at('https://us.example', other), store: suite.database.store() }).once(),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: OTHER_WORKSPACE })
    expect(await forms()).toEqual(OURS)
  })
}

/** What is of a workspace, and of a service. */
export function describeServices(suite: StoreSuite): void {
  const { otherWorkspace, forms, at } = othersOf(suite)

  it('accepts a new key of the same workspace', async () => {
    const { formwire, form, key } = otherWorkspace()
    await suite.sync('all', { formwire }).once()
    expect(await suite.sync('all', { formwire: key() }).once()).toMatchObject({ forms: 1, inserted: 0 })
    expect(await suite.live(form)).toEqual([1])
  })

  it('asks for the workspace once per client and store', async () => {
    const form = suite.service.form()
    const store = suite.database.store()
    const formwire = suite.service.client()
    const requests: number[] = []
    for (const _ of ['first', 'second'])
      requests.push((await suite.sync(form, { formwire, store }).once()).requests)
    expect(requests).toEqual([3, 2])
  })

  const table = (): string => suite.database.store().dialect.qualified('formwire_sync_workspaces')
  const refused = (before: string, now: string): object => ({
    ...OTHER_WORKSPACE,
    message: `The rows of workspace 1 come from the service at ${before}, and the client uses the one at ${now}; the database was left as it was. Use another database or schema. If the service has moved, note that: UPDATE ${table()} SET service = '${now}' WHERE workspace_id = '1'`,
  })

  it('refuses another service whose workspace has the same id, in polls and deliveries, and changes nothing', async () => {
    const form = suite.service.form('Ours')
    const ids = suite.service.add(form, 2)
    await suite.sync('all', { formwire: at('https://eu.example') }).once()
    const other = await startService()
    other.add(other.form('Theirs'), 5)
    const theirs = suite.sync('all', {
      formwire: at('https://us.example', other),
      store: suite.database.store(),
    })
    const error = refused('https://eu.example', 'https://us.example')
    await expect(theirs.once()).rejects.toMatchObject(error)
    await expect(theirs.run()).rejects.toMatchObject(error)
    await expect(theirs.handlers['response.submitted'](eventOf(form, 99))).rejects.toMatchObject(error)
    expect(await forms()).toEqual(OURS)
    expect(await suite.live(form)).toEqual(ids)
  })

  it('accepts the same service at any spelling of its URL', async () => {
    suite.service.form('Ours')
    for (const url of [
      'https://eu.example/base',
      'HTTPS://EU.Example:443/base/',
      'https://eu.example/base//',
    ])
      expect(await suite.sync('all', { formwire: at(url) }).once()).toMatchObject({ forms: 1 })
    for (const [url, shown] of [
      ['https://eu.example', 'https://eu.example'],
      ['https://eu.example:8443/base', 'https://eu.example:8443/base'],
      ['http://eu.example/base', 'http://eu.example/base'],
    ] as const)
      await expect(suite.sync('all', { formwire: at(url) }).once()).rejects.toMatchObject(
        refused('https://eu.example/base', shown),
      )
  })

  it('accepts a server of this machine at any port, but none that is elsewhere until the tables note it', async () => {
    suite.service.form('Ours')
    for (const url of ['http://127.0.0.1:41001', 'http://localhost:41002', 'http://formwire.test'])
      expect(await suite.sync('all', { formwire: at(url) }).once()).toMatchObject({ forms: 1 })
    await expect(suite.sync('all', { formwire: at('https://eu.example') }).once()).rejects.toMatchObject(
      refused('http://formwire.test', 'https://eu.example'),
    )
    await suite.query("UPDATE formwire_sync_workspaces SET service = 'https://eu.example'")
    expect(await suite.sync('all', { formwire: at('https://eu.example') }).once()).toMatchObject({ forms: 1 })
    await expect(suite.sync('all', { formwire: at('http://127.0.0.1:41001') }).once()).rejects.toMatchObject(
      refused('https://eu.example', 'http://127.0.0.1:41001'),
    )
  })

  it('gives a workspace of another id to another service', async () => {
    suite.service.form('Ours')
    const { formwire } = otherWorkspace()
    await suite.sync('all', { formwire: at('https://eu.example') }).once()
    await suite.sync('all', { formwire }).once()
    expect(
      await suite.query('SELECT workspace_id FROM formwire_sync_workspaces ORDER BY workspace_id'),
    ).toHaveLength(2)
  })
}

/** Returns a service whose forms and responses have the ids of the first one, in a workspace with another id. */
async function twinOf(service: Service) {
  const server = await service.server.fork()
  const formwire = service.client({
    fetch: async (...[input, init]: Parameters<typeof fetch>) => {
      const request = new Request(input, init)
      const response = await server.fetch(request)
      if (!request.url.endsWith('/me')) return response
      const { data } = (await response.json()) as { data: { workspace: object } }
      return Response.json({ data: { ...data, workspace: { ...data.workspace, id: 2 } } })
    },
  })
  const submitted = (form: string): number[] =>
    server.app.responses
      .list(form, 'submitted', 0, 1000)
      .items.map(({ id }) => id)
      .sort((a, b) => a - b)
  return { server, formwire, submitted }
}
