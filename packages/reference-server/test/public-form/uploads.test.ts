import { describe, expect, it } from 'vitest'
import { answersOf, startForm } from './helpers.ts'

const QUESTIONS = [
  { id: 'cv', type: 'file', title: 'CV' },
  { id: 'letter', type: 'file', title: 'Letter' },
  { id: 'sign', type: 'signature', title: 'Sign' },
  { id: 'name', type: 'short_text', title: 'Name' },
]
const PDF = new File(['%PDF-1.7 hello'], 'cv.pdf', { type: 'application/pdf' })
const RENT = { filesTotalMaxBytes: 100, fileMaxBytes: 60 }
const bytes = (size: number) => new File([new Uint8Array(size)], 'x.bin')

describe('uploads through the public form', () => {
  it('[RESP-07] ignores the name and size in an answer', async () => {
    const { upload, submit, stored } = await startForm(QUESTIONS)
    const { data } = (await upload(PDF)).body
    await submit({ sign: [{ id: data.id, name: 'other.exe', size: 1 }] })
    expect(stored(1).answers[0].value).toEqual([{ id: data.id, name: 'cv.pdf', size: 14 }])
  })

  it('[RESP-07] assigns an upload to the question in its field name', async () => {
    const { call, submit } = await startForm(QUESTIONS)
    const body = new FormData()
    body.append('q[sign]', PDF)
    const { data } = (await call('POST', '/files', { body })).body
    expect((await submit({ cv: [data] })).body.error.details).toEqual({ field: 'cv' })
    expect((await submit({ sign: [data] })).status).toBe(201)
  })

  it('[RESP-07] lets an upload be claimed once, for its form and question', async () => {
    const { upload, submit, server } = await startForm(QUESTIONS)
    const { data: cv } = (await upload(PDF, 'cv')).body
    expect((await submit({ letter: [cv] })).body.error.details).toEqual({ field: 'letter' })
    const other = server.app.forms.publish(
      server.app.forms.create({ title: 'Other', questions: QUESTIONS }).id,
    )
    const elsewhere = await server.fetch(`http://formwire.test/f/${other.slug}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ answers: answersOf({ cv: [cv] }) }),
    })
    expect(elsewhere.status).toBe(422)
    expect((await submit({ cv: [cv] })).status).toBe(201)
    expect((await submit({ cv: [cv] })).body.error.details).toEqual({ field: 'cv' })

    const { data: free } = (await upload(PDF)).body
    expect((await submit({ cv: [free], letter: [free] })).body.error.details).toEqual({ field: 'letter' })
    expect((await submit({ cv: [free] })).status).toBe(201)
    expect((await submit({ cv: [{ id: 'file_unknown', name: 'x', size: 1 }] })).status).toBe(422)
  })

  it('[RESP-07] deletes an unclaimed upload after an hour of the clock', async () => {
    const { upload, submit, server } = await startForm(QUESTIONS)
    const { data: first } = (await upload(PDF, 'cv')).body
    await server.clock.advance(3_599_999)
    const { data: second } = (await upload(PDF, 'cv')).body
    expect((await submit({ cv: [first] })).status).toBe(201)
    await server.clock.advance(3_600_000)
    expect((await submit({ cv: [second] })).body.error.details).toEqual({ field: 'cv' })
  })

  it('[RESP-09] keeps the files of a draft beyond the hour, and deletes those it no longer uses', async () => {
    const { upload, json, server, submit } = await startForm(QUESTIONS)
    const { data: cv } = (await upload(PDF, 'cv')).body
    const { data: letter } = (await upload(PDF, 'letter')).body
    const { token } = (await json('POST', '/drafts', { answers: answersOf({ cv: [cv], letter: [letter] }) }))
      .body.data
    await server.clock.advance('2h')
    expect((await submit({ cv: [cv] })).status).toBe(422)
    expect((await json('PUT', `/drafts/${token}`, { answers: answersOf({ cv: [cv] }) })).status).toBe(200)
    const dropped = await json('PUT', `/drafts/${token}`, { answers: answersOf({ letter: [letter] }) })
    expect(dropped.body.error.details).toEqual({ field: 'letter' })
    const submitted = await json('POST', `/drafts/${token}/submit`, { answers: answersOf({ cv: [cv] }) })
    expect(submitted.status).toBe(201)
  })

  it('[RESP-04] frees the space of the files when their response is deleted', async () => {
    const { upload, submit, server, form } = await startForm(QUESTIONS, { options: { limits: RENT } })
    const { data: first } = (await upload(bytes(60), 'cv')).body
    const full = await upload(bytes(60), 'cv')
    expect([full.status, full.body.error.details]).toEqual([422, { field: 'file' }])
    await submit({ cv: [first] })
    await server.clock.advance('2h')
    expect((await upload(bytes(60), 'cv')).status).toBe(422)
    server.app.responses.delete(form.id, 1)
    expect((await upload(bytes(60), 'cv')).status).toBe(201)
    await server.clock.advance('1h')
    expect((await upload(bytes(60), 'cv')).status).toBe(201)
  })

  it('[ERR-01] rejects oversized and malformed uploads with 400', async () => {
    const { upload, call, json } = await startForm(QUESTIONS, { options: { limits: { fileMaxBytes: 1000 } } })
    expect((await upload(bytes(1000))).status).toBe(201)
    expect((await upload(bytes(1001))).status).toBe(400)
    expect((await json('POST', '/files', {})).status).toBe(400)
    const broken = {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    }
    expect((await call('POST', '/files', broken)).status).toBe(400)
    const unbounded = { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data' } }
    expect((await call('POST', '/files', unbounded)).status).toBe(400)
  })

  it('[ERR-03] names the field when the file is missing or the question does not accept files', async () => {
    const { upload, call } = await startForm(QUESTIONS)
    const empty = new FormData()
    empty.append('question_id', 'cv')
    expect((await call('POST', '/files', { body: empty })).body.error.details).toEqual({ field: 'file' })
    expect((await upload(PDF, 'name')).body.error.details).toEqual({ field: 'question_id' })
    expect((await upload(PDF, 'nobody')).body.error.details).toEqual({ field: 'question_id' })
  })

  it('[RESP-07] reduces a hostile file name to a plain one', async () => {
    const { upload } = await startForm(QUESTIONS)
    const named = async (name: string) => (await upload(new File(['x'], name))).body.data.name
    expect(await named('../../etc/passwd')).toBe('passwd')
    expect(await named('C:\\temp\\a.txt')).toBe('a.txt')
    expect(await named('<script>alert(1)<script>')).toBe('<script>alert(1)<script>')
    expect(await named('.')).toBe('file')
    expect(await named('..')).toBe('file')
    expect(await named('a/b/..')).toBe('file')
    expect(await named('\u0000. .')).toBe('. .')
    expect(await named('.gitignore')).toBe('.gitignore')
    expect(await named('‮gpj.exe')).toBe('‮gpj.exe')
    expect(await named(`${'x'.repeat(300)}.txt`)).toHaveLength(255)
  })
})
