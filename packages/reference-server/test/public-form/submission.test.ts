import { describe, expect, it } from 'vitest'
import { answersOf, startForm } from './helpers.ts'

const NAME = { id: 'name', type: 'short_text', title: 'Name', required: true }
const AGE = { id: 'age', type: 'number', title: 'Age' }
const DINNER = [NAME, AGE]
const FIREFOX_ON_LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const SAFARI_ON_IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

describe('the public form as JSON', () => {
  it('[FORM-09] returns the form as last published, without the points', async () => {
    const scored = {
      id: 'one',
      type: 'single_choice',
      title: 'One',
      options: [{ id: 'a', label: 'A' }],
      points: { a: 1 },
    }
    const { server, form, json } = await startForm([scored])
    server.app.forms.update(form.id, { title: 'Renamed', questions: DINNER })
    expect((await json('GET', '')).body).toEqual({
      data: {
        id: form.id,
        title: 'Dinner',
        slug: form.slug,
        url: `http://formwire.test/f/${form.slug}`,
        questions: [
          {
            id: 'one',
            type: 'single_choice',
            title: 'One',
            required: false,
            options: [{ id: 'a', label: 'A' }],
            allow_other: false,
          },
        ],
      },
    })
    server.app.forms.publish(form.id)
    const { data } = (await json('GET', '')).body
    expect([data.title, data.questions.length]).toEqual(['Renamed', 2])
  })

  it('[RESP-08] reads meta from the user agent and the query', async () => {
    const { json, stored } = await startForm(DINNER)
    const body = { answers: answersOf({ name: 'Ann' }) }
    const query = '?ref=partner&utm_source=news&utm_campaign=may%20day&utm_=x&utm___proto__=x&other=1'
    await json('POST', query, body, { 'user-agent': FIREFOX_ON_LINUX })
    expect(stored(1).meta).toEqual({
      device: 'desktop',
      browser: 'Firefox',
      os: 'Linux',
      ref: 'partner',
      utm: { source: 'news', campaign: 'may day' },
    })
    await json('POST', '', body, { 'user-agent': SAFARI_ON_IPHONE })
    expect(stored(2).meta).toEqual({ device: 'mobile', browser: 'Safari', os: 'iOS', ref: null, utm: {} })
    await json('POST', '', body, { 'user-agent': 'x'.repeat(5000) })
    expect(stored(3).meta).toMatchObject({ device: null, browser: null, os: null })
  })

  it('[ERR-04] treats deep, duplicated and prototype keys as ordinary data', async () => {
    const { json } = await startForm([{ id: 'q', type: 'long_text', title: 'Q' }])
    const deep = `{"answers":[{"question_id":"gone","value":${'['.repeat(90_000)}${']'.repeat(90_000)}}]}`
    expect((await json('POST', '', deep)).status).toBe(201)
    expect((await json('POST', '/drafts', deep)).status).toBe(201)
    expect((await json('POST', '', deep.replace('gone', 'q'))).body.error.details).toEqual({ field: 'q' })
    expect((await json('POST', '', '{"__proto__":{"answers":[1]},"answers":[]}')).status).toBe(201)
    expect((await json('POST', '', '{"answers":1,"answers":[]}')).status).toBe(201)
    expect(({} as Record<string, unknown>).answers).toBeUndefined()
  })

  it('[ERR-02] responds to other methods and paths with 404', async () => {
    const { json } = await startForm(DINNER)
    for (const [method, path] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/drafts'],
      ['GET', '/files'],
      ['GET', '/files/1'],
      ['PATCH', '/drafts/x'],
    ] as const) {
      expect((await json(method, path)).status, `${method} ${path}`).toBe(404)
    }
  })
})
