import { eventually, FORM, linesOf, sameMembers, unmet } from '../workbench.mjs'

export const criteria = {
  'books-all': 'books each of a few responses once',
  'same-instant': 'books a response with the submitted_at of one that it has booked before',
  'many-pages': 'books all of many responses that are submitted at once while some are deleted',
  'survives-kills': 'loses and repeats nothing when it is killed while it books a page',
  'reads-what-is-new': 'reads one page in a round without news',
}

const COMMAND = ['node', 'poller.mjs']
const env = { POLL_MS: '100' }
const HANDLED = { handled: 'cat ledger.txt 2>/dev/null || true' }
/** Milliseconds after a page was read. */
const KILLS = [20, 150, 300, 450]
const STORED = 350
const QUIET_ROUNDS = 5
/** Milliseconds in which all of them must be booked, on a busy machine too. */
const BOOKED_MS = 60_000

export async function grader(bench, { must, check, last }) {
  const play = (schedule, bookMs = 5) =>
    bench.rehearse(COMMAND, { ...HANDLED, schedule, env: { ...env, BOOK_MS: String(bookMs) } })
  await must('books-all', () => play({ responses: [0, 30, 400].map((at_ms) => ({ at_ms })) }))
  await check('same-instant', () => play({ responses: [{ at_ms: 0 }, { at_ms: 1500, same_instant: true }] }))
  // More than two of the largest pages, so that no single page has what has come since the one before.
  await check('many-pages', () =>
    play({
      // The second one keeps the schedule going while the pages are read, between which responses are deleted.
      responses: [{ at_ms: 0 }, { at_ms: 2000 }],
      steps: [
        { at_ms: 300, kind: 'burst', count: 230 },
        { at_ms: 300, kind: 'delete' },
      ],
    }),
  )
  const killed = KILLS.flatMap((then_ms, index) => [
    { at_ms: index * 300, kind: 'burst', count: 12 },
    { at_ms: index * 300, kind: 'kill', when: 'page', then_ms, down_ms: 0 },
  ])
  // A page takes over half a second.
  await check('survives-kills', () => play({ responses: [{ at_ms: 0 }], steps: killed }, 50))
  await last('reads-what-is-new', () => readsWhatIsNew(bench))
}

async function readsWhatIsNew(bench) {
  const responses = Array.from({ length: STORED }, (_, index) => ({
    submitted_at: `-${STORED - index}m`,
    answers: [],
  }))
  const service = await bench.service([{ id: FORM, title: 'Survey', responses }])
  const data = bench.createFolder()
  const poller = bench.spawn(COMMAND, {
    ...service.env,
    ...env,
    FORMWIRE_FORM_ID: FORM,
    DATA: data,
    BOOK_MS: '0',
  })
  const booked = () => linesOf(data, 'ledger.txt')
  await eventually(
    () => `only ${booked().length} of ${STORED} responses were booked`,
    () => booked().length >= STORED,
    BOOKED_MS,
  )
  const before = (await service.requests()).length
  await eventually(
    () => 'it no longer reads the list',
    async () => {
      return (await service.requests()).length >= before + QUIET_ROUNDS
    },
  )
  const pages = (await service.requests())
    .slice(before)
    .map(({ query }) => new URLSearchParams(query).get('page'))
  await poller.stop()
  sameMembers(
    'ledger',
    booked(),
    (await service.responses()).map(({ id }) => id),
  )
  const later = pages.filter((page) => page !== null && page !== '1')
  if (later.length > 0) unmet(`it read page ${later[0]} although there was nothing new`)
}
