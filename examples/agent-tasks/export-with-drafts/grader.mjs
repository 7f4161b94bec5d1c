import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, FORM, linesOf, sameMembers, unmet } from '../workbench.mjs'

export const criteria = {
  'all-submitted': 'has every submitted response once, with its answers',
  'all-drafts': 'has every draft once, as in_progress',
  'moving-drafts': 'has each response once although drafts are submitted meanwhile',
  'failure-keeps-file': 'leaves the file as it was when the API fails halfway',
}

const QUESTION = { id: 'city', type: 'short_text', title: 'Where do you live?' }
const SUBMITTED = 260
const DRAFTS = 8
const LIST = `/api/v1/forms/${FORM}/responses`
/** Milliseconds of each request, so that something can happen meanwhile, on a busy machine too. */
const SLOW_MS = 2000
/** Milliseconds in which an export must end, also one that reads the smallest pages. */
const EXPORT_MS = 120_000

export async function grader(bench, { check }) {
  const answers = (city) => [{ question_id: QUESTION.id, value: city }]
  const responses = Array.from({ length: SUBMITTED }, (_, index) => ({
    submitted_at: `-${SUBMITTED - index}m`,
    answers: answers(`City ${index}`),
  }))
  const service = await bench.service([{ id: FORM, title: 'Survey', questions: [QUESTION], responses }])
  const { slug } = await service.call('GET', `/forms/${FORM}`)
  const respond = async (path, body) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
    const response = await fetch(`${service.url}/f/${slug}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await response.json()).data
  }
  const drafts = []
  while (drafts.length < DRAFTS)
    drafts.push(await respond('/drafts', { answers: answers(`Draft ${drafts.length}`) }))

  const folder = bench.createFolder()
  const exportTo = (name) =>
    bench.run(['node', 'export.mjs', FORM, join(folder, name)], service.env, EXPORT_MS)
  const read = (name) => linesOf(folder, name).map(parsed)
  const { code, stderr } = await exportTo('quiet.jsonl')
  const rows = code === 0 ? read('quiet.jsonl') : []
  const described = ({ id, status, answers: texts }) => [id, status, texts?.[QUESTION.id]]
  for (const [id, status] of [
    ['all-submitted', 'submitted'],
    ['all-drafts', 'in_progress'],
  ]) {
    await check(id, async () => {
      if (code !== 0) unmet(`exit code ${code}: ${stderr.trim().split('\n').at(-1)}`)
      const expected = (await service.responses(FORM, status)).map((response) => [
        response.id,
        status,
        response.answers[0].text,
      ])
      sameMembers('file', rows.filter((row) => row.status === status).map(described), expected)
    })
  }

  await check('moving-drafts', async () => {
    const { id } = await service.call('POST', '/faults', { path: LIST, delay_ms: SLOW_MS })
    const before = (await service.requests()).length
    const exporting = exportTo('moving.jsonl')
    let ended = false
    exporting
      .catch(() => undefined)
      .then(() => {
        ended = true
      })
    try {
      for (const [index, { token }] of drafts.entries()) {
        await eventually(
          () => 'the export did not end',
          async () => ended || (await service.requests()).length > before + index,
        )
        if (!ended) await respond(`/drafts/${token}/submit`)
      }
      await exporting
    } finally {
      await service.call('DELETE', `/faults/${id}`)
    }
    const everyId = (await service.responses()).concat(await service.responses(FORM, 'in_progress'))
    sameMembers(
      'file',
      read('moving.jsonl').map((row) => row.id),
      everyId.map((row) => row.id),
    )
  })

  await check('failure-keeps-file', async () => {
    const file = join(folder, 'kept.jsonl')
    writeFileSync(file, 'from yesterday\n')
    // The first request gets its response, the second one an error that does not pass.
    await service.call('POST', '/faults', { path: LIST, delay_ms: 0, times: 1 })
    await service.call('POST', '/faults', { path: LIST, status: 403 })
    if ((await exportTo('kept.jsonl')).code === 0) unmet('it ended with exit code 0')
    if (readFileSync(file, 'utf8') !== 'from yesterday\n') unmet('the file was changed')
  })
}

function parsed(line) {
  try {
    return JSON.parse(line)
  } catch {
    return unmet(`a line is not JSON: ${line.slice(0, 60)}`)
  }
}
