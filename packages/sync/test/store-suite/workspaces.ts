import type { Formwire } from '@formwire/sdk'
import { expect, it } from 'vitest'
import { audit, type SubmittedEvent } from '../../src/index.ts'
import { asVersion } from '../support/earlier-version.ts'
import { startService } from '../support/service.ts'
import { twinOf } from '../support/twin.ts'
import type { StoreSuite } from './suite.ts'

/** Any number of workspaces share a database. */
export function describeWorkspaces(suite: StoreSuite): void {
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
    suite.database.query('SELECT title, deleted_at FROM formwire_forms ORDER BY title')

  /** Makes the database one of the version before workspaces. */
  const forgetWorkspace = (): Promise<void> => asVersion(suite.database, 2)

  const OTHER_WORKSPACE = { name: 'StoreError', code: 'other_workspace', isPassing: false }
  const OURS = [{ title: 'Ours', deleted_at: null }]

  /** Ids of the rows of a form in a workspace. */
  const rowsOf = async (
    workspace: string,
    form: string,
    condition = 'deleted_at IS NULL',
  ): Promise<number[]> =>
    (
      await suite.database.query(
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
      const delivered = (id: number, value: number): SubmittedEvent => ({
        form: { id: form, title: 'Ours' },
        response: { ...RESPONSE, id, answers: [{ ...ANSWER, value, text: String(value) }] as never },
      })
      await ours.handlers['response.submitted'](delivered(98, 1))
      await theirs.handlers['response.submitted'](delivered(98, 2))
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
        await suite.database.query(
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
        expect(
          (await suite.database.query(`SELECT id FROM ${name} ORDER BY id`)).map(({ id }) => Number(id)),
        ).toEqual(rows)
      await other.server.close()
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
    await theirs.handlers['response.submitted']({ form: { id: form, title: 'Ours' }, response: RESPONSE })
    await theirs.once()
    await ours.once()
    expect(await rowsOf('1', form)).toEqual([])
    expect(await rowsOf('2', form)).toEqual([draft, RESPONSE.id])
    expect(await suite.database.query('SELECT workspace_id FROM formwire_sync_settled')).toEqual([
      { workspace_id: '2' },
    ])
    await other.server.close()
  })

  it('accepts a new key of the same workspace', async () => {
    const { formwire, form, key } = otherWorkspace()
    await suite.sync('all', { formwire }).once()
    expect(await suite.sync('all', { formwire: key() }).once()).toMatchObject({ forms: 1, inserted: 0 })
    expect(await suite.live(form)).toEqual([1])
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

  it('asks for the workspace once per client and store', async () => {
    const form = suite.service.form()
    const store = suite.database.store()
    const formwire = suite.service.client()
    const requests: number[] = []
    for (const _ of ['first', 'second'])
      requests.push((await suite.sync(form, { formwire, store }).once()).requests)
    expect(requests).toEqual([3, 2])
  })

  it('lets the workspace adopt its database of an earlier version, and others use it afterwards', async () => {
    const ours = suite.service.form('Ours')
    const { formwire } = otherWorkspace()
    await suite.sync('all').once()
    await forgetWorkspace()
    await expect(suite.sync('all', { formwire }).once()).rejects.toMatchObject(OTHER_WORKSPACE)
    expect(await forms()).toEqual(OURS)
    const ids = suite.service.add(ours, 1)
    expect(await suite.sync('all').once()).toMatchObject({ forms: 1, inserted: 1 })
    expect(await suite.sync('all', { formwire }).once()).toMatchObject({ forms: 1, inserted: 1 })
    expect(await rowsOf('1', ours)).toEqual(ids)
  })

  it('adopts a database of an earlier version whose forms came by webhook only', async () => {
    const ours = suite.service.form('Ours')
    const { formwire } = otherWorkspace()
    await suite.sync(ours).handlers['response.submitted']({
      form: { id: ours, title: 'Ours' },
      response: RESPONSE,
    })
    await forgetWorkspace()
    await expect(suite.sync('all', { formwire }).once()).rejects.toMatchObject(OTHER_WORKSPACE)
    await suite.sync('all').once()
    expect(await forms()).toEqual(OURS)
  })

  it('adopts a database of an earlier version of which some forms are trashed', async () => {
    const { app } = suite.service.server
    for (let number = 1; number <= 12; number += 1) suite.service.form(`Form ${number}`)
    const kept = suite.service.form('Kept')
    await suite.sync('all').once()
    await forgetWorkspace()
    for (const { id, title } of app.forms.list())
      if (id !== kept && title.startsWith('Form')) app.forms.trash(id)
    expect(await suite.sync('all').once()).toMatchObject({ forms: 1 })
  })

  it('says how to adopt a database of an earlier version all of whose forms are trashed', async () => {
    const form = suite.service.form('Ours')
    await suite.sync('all').once()
    await forgetWorkspace()
    suite.service.server.app.forms.trash(form)
    const note = "UPDATE formwire_sync_version SET workspace_id = '1'"
    await expect(suite.sync('all').once()).rejects.toMatchObject({
      ...OTHER_WORKSPACE,
      message: `The database does not note its workspace, and none of its forms is visible to the key; it was left as it was. Use another database or key. If it belongs to workspace 1 and its forms were trashed, note that: ${note}`,
    })
    expect(await forms()).toEqual(OURS)
    await suite.database.query(note)
    await suite.sync('all').once()
    expect(await forms()).toEqual([{ title: 'Ours', deleted_at: expect.anything() }])
  })

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
  const refused = (before: string, now: string): object => ({
    ...OTHER_WORKSPACE,
    message: `The rows of workspace 1 come from the service at ${before}, and the client uses the one at ${now}; the database was left as it was. Use another database or schema. If the service has moved, accept that with "movedFrom": "${before}" (--moved-from ${before} on the command line).`,
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
    await expect(
      theirs.handlers['response.submitted']({ form: { id: form, title: 'Theirs' }, response: RESPONSE }),
    ).rejects.toMatchObject(error)
    expect(await forms()).toEqual(OURS)
    expect(await suite.live(form)).toEqual(ids)
    await other.server.close()
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

  it('accepts a service that has moved from the URL of movedFrom, and no other', async () => {
    suite.service.form('Ours')
    await suite.sync('all', { formwire: at('https://old.example') }).once()
    const moved = (from: string, to = 'https://new.example') =>
      suite.sync('all', { formwire: at(to), movedFrom: from }).once()
    await expect(moved('https://elsewhere.example')).rejects.toMatchObject(
      refused('https://old.example', 'https://new.example'),
    )
    for (const from of ['HTTPS://Old.example:443/', 'https://old.example'])
      expect(await moved(from)).toMatchObject({ forms: 1 })
    await expect(moved('https://old.example', 'https://third.example')).rejects.toMatchObject(
      refused('https://new.example', 'https://third.example'),
    )
    await expect(moved('https://nowhere.example', 'https://old.example')).rejects.toMatchObject(
      refused('https://new.example', 'https://old.example'),
    )
    for (const movedFrom of ['old.example', 'ftp://old.example', 7 as never])
      expect(() => suite.sync('all', { movedFrom })).toThrow(
        `"movedFrom" must be an http:// or https:// URL, got ${JSON.stringify(movedFrom)}.`,
      )
  })

  it('accepts a server of this machine at any port, but none that is elsewhere', async () => {
    suite.service.form('Ours')
    for (const url of ['http://127.0.0.1:41001', 'http://localhost:41002', 'http://formwire.test'])
      expect(await suite.sync('all', { formwire: at(url) }).once()).toMatchObject({ forms: 1 })
    await expect(suite.sync('all', { formwire: at('https://eu.example') }).once()).rejects.toMatchObject(
      refused('http://formwire.test', 'https://eu.example'),
    )
    const movedFrom = 'http://formwire.test'
    await suite.sync('all', { formwire: at('https://eu.example'), movedFrom }).once()
    await expect(suite.sync('all', { formwire: at('http://127.0.0.1:41001') }).once()).rejects.toMatchObject(
      refused('https://eu.example', 'http://127.0.0.1:41001'),
    )
  })

  it('accepts two servers of this machine that start with a new database at the same time', async () => {
    suite.service.form('Ours')
    const ready: (() => void)[] = []
    const both = () =>
      new Promise<void>((resolve) => {
        ready.push(resolve)
        if (ready.length === 2) for (const go of ready) go()
      })
    /** A store that notes its service once the other one does so, too. */
    const store = () => {
      const created = suite.database.store()
      const transaction = created.transaction.bind(created)
      created.transaction = async (lock, ...rest) => {
        if (lock === 'service') await both()
        return await transaction(lock, ...rest)
      }
      return created
    }
    const urls = ['http://127.0.0.1:41001', 'http://localhost:41002']
    const once = (url: string) => suite.sync('all', { formwire: at(url), store: store() }).once()
    for (const { forms } of await Promise.all(urls.map(once))) expect(forms).toBe(1)
  })

  it('refuses another service also after an audit with the same client and store', async () => {
    suite.service.form('Ours')
    await suite.sync('all', { formwire: at('https://eu.example') }).once()
    const other = await startService()
    other.form('Theirs')
    const both = { formwire: at('https://us.example', other), store: suite.database.store() }
    await audit({ ...both, forms: 'all' })
    await expect(suite.sync('all', both).once()).rejects.toMatchObject(
      refused('https://eu.example', 'https://us.example'),
    )
    expect(await forms()).toEqual(OURS)
    await other.server.close()
  })

  it('gives a workspace of another id to another service', async () => {
    suite.service.form('Ours')
    const { formwire } = otherWorkspace()
    await suite.sync('all', { formwire: at('https://eu.example') }).once()
    await suite.sync('all', { formwire }).once()
    expect(
      await suite.database.query('SELECT workspace_id FROM formwire_sync_workspaces ORDER BY workspace_id'),
    ).toHaveLength(2)
  })

  it('lets one of two services that start with a new database at the same time have it', async () => {
    const other = await startService()
    for (const service of [suite.service, other]) service.add(service.form('Ours'), 3)
    const results = await Promise.allSettled([
      suite.sync('all', { formwire: at('https://eu.example'), store: suite.database.store() }).once(),
      suite.sync('all', { formwire: at('https://us.example', other), store: suite.database.store() }).once(),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: OTHER_WORKSPACE })
    expect(await forms()).toEqual(OURS)
    await other.server.close()
  })

  it.each([5, 4, 2] as const)(
    'upgrades a database of version %i, whose service is the one that comes first',
    async (version) => {
      const form = suite.service.form('Ours')
      const ids = suite.service.add(form, 3)
      await suite.sync('all', { formwire: at('https://eu.example') }).once()
      await asVersion(suite.database, version)
      const once = (url: string) =>
        suite.sync('all', { formwire: at(url), store: suite.database.store() }).once()
      const [one, two] = await Promise.all([once('https://us.example'), once('https://us.example')])
      for (const summary of [one, two]) expect(summary).toMatchObject({ inserted: 0, updated: 0, deleted: 0 })
      await expect(once('https://eu.example')).rejects.toMatchObject(
        refused('https://us.example', 'https://eu.example'),
      )
      expect(await suite.live(form)).toEqual(ids)
      expect(await suite.database.query('SELECT version FROM formwire_sync_version')).toEqual([
        { version: suite.database.dialect.name === 'postgres' ? '6' : 6 },
      ])
    },
  )

  it('notes no service for a client of an earlier version, which does not show one', async () => {
    suite.service.form('Ours')
    const formwire = Object.assign(at('https://eu.example'), { baseUrl: undefined })
    await suite.sync('all', { formwire }).once()
    await suite.sync('all', { formwire: at('https://us.example') }).once()
    await suite.sync('all', { formwire, store: suite.database.store() }).once()
    await expect(suite.sync('all', { formwire: at('https://eu.example') }).once()).rejects.toMatchObject(
      refused('https://us.example', 'https://eu.example'),
    )
  })
}

const QUESTIONS = [{ id: 'nps', type: 'nps', title: 'Would you recommend us?' }]
const ANSWER = { question_id: 'nps', title: 'Would you recommend us?', type: 'nps' }
const RESPONSE = {
  id: 99,
  submitted_at: '2026-11-21T12:00:00Z',
  answers: [],
  score: null,
  max_score: null,
  meta: {} as never,
}
