import { describe, expect, it } from 'vitest'
import {
  type RehearsalReport,
  type RehearseOptions,
  rehearse,
  type Schedule,
} from '../../src/rehearsal/index.ts'

/** A response as the list has it. */
interface Row {
  readonly id: number
  readonly submitted_at: string
}

/** Reads a page of 25 responses, newest first, from the newest one that was handled in an earlier poll. */
type ReadPage = (page: number) => Promise<{ readonly data: readonly Row[]; readonly total: number }>

/** How a program reads the list once. What it handles again is ignored. */
type Poll = (readPage: ReadPage, handle: (row: Row) => void) => Promise<void>

/** Reads pages until one is not full. */
const byNumber: Poll = async (readPage, handle) => {
  for (let page = 1, isFull = true; isFull; page += 1) {
    const { data } = await readPage(page)
    for (const row of data) handle(row)
    isFull = data.length === 25
  }
}

/** Reads them again when the number of responses has changed meanwhile. */
const carefully: Poll = async (readPage, handle) => {
  for (let totals = new Set<number>(); totals.size !== 1; ) {
    totals = new Set()
    await byNumber(async (page) => {
      const read = await readPage(page)
      totals.add(read.total)
      return read
    }, handle)
  }
}

/**
 * Rehearses a program that reads the list often. Returns also what it has handled in the last run.
 *
 * @param from How many responses the form has before the program reads them.
 */
async function rehearsePoller(
  poll: Poll,
  options: Partial<RehearseOptions>,
  from = 0,
): Promise<{ report: RehearsalReport; handled: readonly Row[]; texts: readonly string[] }> {
  const isManual = options.clock !== 'real'
  let handled = new Map<number, Row>()
  const report = await rehearse({
    start({ baseUrl, apiKey, formId, clock }) {
      const rows = new Map<number, Row>()
      handled = rows
      const end = new AbortController()
      let since = '2000-01-01T00:00:00Z'
      const read = async (path: string) => {
        const url = `${baseUrl}/api/v1/forms/${formId}${path}`
        const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } })
        return await response.json()
      }
      const readPage: ReadPage = async (page) => {
        const { data, meta } = await read(`/responses?${new URLSearchParams({ since, page: String(page) })}`)
        return { data, total: meta.total }
      }
      const follow = async (): Promise<void> => {
        // The step after a burst begins meanwhile: its timer is due before this one.
        while (from > 0 && (await read('')).data.response_count < from) await clock.sleep(100, end.signal)
        if (from > 0) await clock.sleep(200, end.signal)
        for (; ; await clock.sleep(isManual ? 10_000 : 100, end.signal)) {
          await poll(readPage, (row) => {
            if (!rows.has(row.id)) rows.set(row.id, row)
          })
          for (const { submitted_at: at } of rows.values()) if (Date.parse(at) > Date.parse(since)) since = at
        }
      }
      follow().catch(() => undefined)
      return { kill: () => end.abort() }
    },
    handled: () => handled.keys(),
    ...options,
  })
  const texts = (report.failure?.steps ?? []).map(({ text }) => text)
  return { report, handled: [...handled.values()], texts }
}

const schedule = (given: Partial<Schedule>): { schedule: Schedule } => ({
  schedule: { version: 1, responses: [{ at_ms: 0 }], steps: [], ...given },
})

describe('a burst', () => {
  const burst = schedule({ steps: [{ at_ms: 30, kind: 'burst', count: 40 }] })

  it('[POLL-01] submits more responses at once than fit on a page', async () => {
    const all = await rehearsePoller(byNumber, burst)
    expect(all.report).toMatchObject({ passed: 1, failure: null })
    expect(all.handled).toHaveLength(41)

    const firstPage: Poll = async (readPage, handle) => (await readPage(1)).data.forEach(handle)
    const { report, texts } = await rehearsePoller(firstPage, burst)
    expect(report.failure).toMatchObject({
      verdict: 'lost',
      likely: 'reads one page alone: what is new can be more',
    })
    expect(texts).toContain('40 responses are submitted at once: 2 to 41')
  })

  it('[RESP-02] has ten responses with the same submitted_at each', async () => {
    const { handled } = await rehearsePoller(byNumber, burst)
    const times = handled.filter(({ id }) => id > 1).map(({ submitted_at }) => submitted_at)
    const counts = [...new Set(times)].map((time) => times.filter((one) => one === time).length)
    expect(counts).toEqual([10, 10, 10, 10])
  })
})

it('[POLL-02] deletes the newest responses between two pages that the program reads', async () => {
  // In real time: the request of the second page is held meanwhile. The pages must be read before the schedule is over.
  const options = {
    clock: 'real',
    ...schedule({
      responses: [{ at_ms: 0 }, { at_ms: 2500 }],
      steps: [
        { at_ms: 30, kind: 'burst', count: 60 },
        { at_ms: 30, kind: 'delete' },
      ],
    }),
  } as const
  const { report, texts } = await rehearsePoller(byNumber, options, 61)
  expect(report.failure).toMatchObject({
    verdict: 'lost',
    likely: 'pages by number while rows are deleted: those behind a deleted one move up',
  })
  expect(texts.filter((text) => text.includes('deleted'))).toEqual(
    [61, 60, 59, 58].map((id) => `response ${id} is deleted between two pages`),
  )
  const good = await rehearsePoller(carefully, options, 61)
  expect(good.report).toMatchObject({ passed: 1, failure: null })
})

describe('timestamps', () => {
  it.each([
    [undefined, /T\d\d:\d\d:\d\d\.\d{3}Z$/],
    ['milliseconds', /T\d\d:\d\d:\d\d\.\d{3}Z$/],
    ['seconds', /T\d\d:\d\d:\d\dZ$/],
    ['microseconds', /T\d\d:\d\d:\d\d\.\d{3}000Z$/],
    ['offset', /T\d\d:\d\d:\d\d\.\d{3}\+00:00$/],
  ] as const)('[ENV-05] are written as the schedule says: %s', async (timestamps, format) => {
    const { handled } = await rehearsePoller(
      byNumber,
      schedule(timestamps === undefined ? {} : { timestamps }),
    )
    expect(handled.map(({ submitted_at }) => submitted_at)).toEqual([expect.stringMatching(format)])
  })
})
