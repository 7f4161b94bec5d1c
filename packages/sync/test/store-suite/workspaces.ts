import type { Formwire } from '@formwire/sdk'
import { expect, it } from 'vitest'
import type { StoreSuite } from './suite.ts'

/** One database belongs to one workspace. */
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
  async function forgetWorkspace(): Promise<void> {
    for (const name of ['slice', 'seen', 'synced_at', 'error', 'error_at'])
      await suite.database.query(`ALTER TABLE formwire_sync_state DROP COLUMN ${name}`)
    await suite.database.query('ALTER TABLE formwire_sync_views DROP COLUMN typed')
    await suite.database.query('ALTER TABLE formwire_sync_version DROP COLUMN workspace_id')
    await suite.database.query('UPDATE formwire_sync_version SET version = 2')
  }

  const OTHER_WORKSPACE = { name: 'StoreError', code: 'other_workspace', isPassing: false }
  const OURS = [{ title: 'Ours', deleted_at: null }]

  it('refuses the database of another workspace before it writes anything', async () => {
    const ours = suite.service.form('Ours')
    const { formwire, form } = otherWorkspace()
    await suite.sync('all').once()
    for (const chosen of ['all', form, ours])
      for (const call of ['once', 'run'] as const)
        await expect(suite.sync(chosen, { formwire })[call]()).rejects.toMatchObject(OTHER_WORKSPACE)
    const event = { form: { id: form, title: 'Theirs' }, response: RESPONSE }
    const { handlers } = suite.sync('all', { formwire })
    await expect(handlers['response.submitted'](event)).rejects.toMatchObject(OTHER_WORKSPACE)
    expect(await forms()).toEqual(OURS)
    expect(await suite.database.query('SELECT id FROM formwire_responses')).toEqual([])
  })

  it('accepts a new key of the same workspace', async () => {
    const { formwire, form, key } = otherWorkspace()
    await suite.sync('all', { formwire }).once()
    expect(await suite.sync('all', { formwire: key() }).once()).toMatchObject({ forms: 1, inserted: 0 })
    expect(await suite.live(form)).toEqual([1])
  })

  it('gives a new database to the first of two workspaces that start at the same time', async () => {
    suite.service.form('Ours')
    const { formwire } = otherWorkspace()
    const ends = await Promise.allSettled([suite.sync('all').once(), suite.sync('all', { formwire }).once()])
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({ reason: OTHER_WORKSPACE })
    expect(await forms()).toEqual([
      { title: ends[0]?.status === 'fulfilled' ? 'Ours' : 'Theirs', deleted_at: null },
    ])
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

  it('lets the workspace adopt its database of an earlier version, and no other one', async () => {
    const ours = suite.service.form('Ours')
    const { formwire } = otherWorkspace()
    await suite.sync('all').once()
    await forgetWorkspace()
    await expect(suite.sync('all', { formwire }).once()).rejects.toMatchObject(OTHER_WORKSPACE)
    expect(await forms()).toEqual(OURS)
    suite.service.add(ours, 1)
    expect(await suite.sync('all').once()).toMatchObject({ forms: 1, inserted: 1 })
    await expect(suite.sync('all', { formwire }).once()).rejects.toMatchObject(OTHER_WORKSPACE)
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
}

const QUESTIONS = [{ id: 'nps', type: 'nps', title: 'Would you recommend us?' }]
const RESPONSE = {
  id: 99,
  submitted_at: '2026-11-21T12:00:00Z',
  answers: [],
  score: null,
  max_score: null,
  meta: {} as never,
}
