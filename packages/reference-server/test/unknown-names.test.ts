import { describe, expect, it, onTestFinished } from 'vitest'
import { runConformance } from '../src/conformance/index.ts'
import { handlers } from '../src/http/transports/msw.ts'
import { createMockReceiver, createReferenceServer, OptionError } from '../src/index.ts'
import { describeUnknown } from '../src/known-names.ts'
import { createSeedFactory, type FormwireKit, formwireFixture, startFormwire } from '../src/testing/index.ts'
import { FORM, NOW, SEED } from './conformance/seed.ts'
import { ask } from './support/server.ts'

/** As plain JavaScript passes it: no compiler has looked at the names. */
// biome-ignore lint/suspicious/noExplicitAny: the wrong names are the point
const untyped = (value: unknown) => value as any

const CHOICE = { id: 'a', label: 'A' }
const MISSPELT = { id: 'b', label: 'B', lable: 'C' }
/** A form with a grid of which one part is replaced. */
const formWith = (part: object) => ({
  title: 'T',
  questions: [{ type: 'grid_single', title: 'Q', rows: [CHOICE], columns: [CHOICE], ...part }],
})
const LOGIC = [
  { id: 'q', type: 'yes_no', title: 'Q' },
  { type: 'date', title: 'D', show_if: { question_id: 'q', equals: 'yes', equal: 'no' } },
]

async function start(): Promise<FormwireKit> {
  const kit = await startFormwire({ seed: SEED, now: NOW })
  onTestFinished(() => kit.close())
  return kit
}

const create = (options: object) => createReferenceServer(untyped(options))
const factory = await createSeedFactory()

/** A call with a wrong name, and the name that is probably meant. */
const WRONG: [act: (kit: FormwireKit) => unknown, wrong: string, meant: string, what?: string][] = [
  [() => create({ clok: 'manual' }), 'clok', 'clock'],
  [() => create({ addressrules: 'production' }), 'addressrules', 'addressRules'],
  [() => create({ deliveryTimeout: 5 }), 'deliveryTimeout', 'deliveryTimeoutMs'],
  [() => create({ seeed: undefined }), 'seeed', 'seed'],
  [() => create({ limits: { perMinute: 3 } }), 'perMinute', 'requestsPerMinute', 'limit'],
  [
    () => create({ unspecified: { webhookDelte: '204' } }),
    'webhookDelte',
    'webhookDelete',
    'unspecified key',
  ],
  [({ server }) => server.listen(untyped({ prot: 0 })), 'prot', 'port'],
  [({ server }) => server.fork(untyped({ endpointURL: String })), 'endpointURL', 'endpointUrl'],
  [
    ({ server }) => server.app.forms.list(untyped({ workspaceId: 1 })),
    'workspaceId',
    'workspace_id',
    'field',
  ],
  [({ server }) => stream(server, { form_id: FORM }), 'form_id', 'formId', 'field'],
  [({ server }) => stream(server, {}, { lastEventID: '1' }), 'lastEventID', 'lastEventId', 'field'],
  [() => createMockReceiver(untyped({ scirpt: ['500'] })), 'scirpt', 'script'],
  [() => createMockReceiver({ script: [untyped({ delay: 5 })] }), 'delay', 'delayMs', 'member'],
  [() => createMockReceiver().listen(untyped({ hots: '::1' })), 'hots', 'host'],
  [({ receiver }) => receiver.waitFor(1, untyped({ timeout: 1 })), 'timeout', 'timeoutMs'],
  [() => startFormwire(untyped({ randomSed: 2 })), 'randomSed', 'randomSeed'],
  [() => startFormwire(untyped({ receiver: { secrets: [] } })), 'secrets', 'secret'],
  [() => formwireFixture(untyped({ seeds: SEED })), 'seeds', 'seed'],
  [(kit) => kit.waitForRequest({}, untyped({ timeout: 1 })), 'timeout', 'timeoutMs'],
  [(kit) => kit.waitForDelivery({}, untyped({ timeout: 1 })), 'timeout', 'timeoutMs'],
  [(kit) => kit.waitForResponse({}, untyped({ timeout: 1 })), 'timeout', 'timeoutMs'],
  [({ server }) => handlers(server, untyped({ baseURL: 'http://x.test' })), 'baseURL', 'baseUrl'],
  [() => runConformance(untyped({ baseUrl: 'http://127.0.0.1:9', formID: 'x' })), 'formID', 'formId'],
  [() => factory.form(untyped({ respones: 3 })), 'respones', 'responses'],
  [() => factory.person(untyped({ emial: 'a@example.com' })), 'emial', 'email'],
  [() => factory.question('rating', untyped({ maxx: 3 })), 'maxx', 'max'],
  [() => factory.response([], untyped({ anwsers: [] })), 'anwsers', 'answers'],
  [() => factory.workspace(untyped({ plann: 'free' })), 'plann', 'plan'],
]

const stream = ({ app }: FormwireKit['server'], filter: object, options: object = {}) =>
  app.deliveries.stream(filter, { ...options, signal: AbortSignal.abort() })

describe('an unknown option name', () => {
  it.each(WRONG)('throws for %s', async (act, wrong, meant, what = 'option') => {
    const kit = await start()
    const error: unknown = await Promise.resolve(kit)
      .then(act)
      .catch((thrown) => thrown)
    expect(error).toMatchObject({
      message: expect.stringContaining(`Unknown ${what} "${wrong}"; did you mean "${meant}"?`),
      name: { field: 'ServiceError', member: 'TypeError' }[what] ?? 'OptionError',
    })
  })

  it('lists the known names when none is close', () => {
    expect(() => createReferenceServer(untyped({ zzz: 1 }))).toThrow(
      'Unknown option "zzz"; known: seed, snapshot, clock, now, addressRules, limits, unspecified, adminToken, publicUrl, ' +
        'allowedHosts, deliveryTimeoutMs, routes, dns, random, journalSize, report.',
    )
  })

  it.each([['manual'], [null], [['seed']]])('throws for %j in place of the options', (options) => {
    expect(() => createReferenceServer(untyped(options))).toThrow(
      new OptionError('createReferenceServer expects an object of options.'),
    )
  })
})

describe('an unknown query parameter of the control API', () => {
  it.each([
    ['/_app/forms?workspace=1', 'workspace', 'did you mean "workspace_id"?'],
    ['/_app/deliveries/stream?form=x', 'form', 'did you mean "form_id"?'],
    [`/_app/forms/${FORM}/responses?perPage=1`, 'perPage', 'did you mean "per_page"?'],
    ['/_app/users?limit=1', 'limit', 'no names are known here.'],
  ])('%s returns 422', async (path, field, message) => {
    const { server } = await start()
    const { status, json } = await ask(server, 'GET', path)
    expect(status).toBe(422)
    const { error } = json
    expect([error.details, error.message]).toEqual([
      { field },
      `Unknown parameter ${JSON.stringify(field)}; ${message}`,
    ])
  })
})

describe('an unknown member of a control API body', () => {
  it.each([
    ['POST', '/_app/workspaces', { name: 'A', paln: 'free' }, 'paln', 'plan'],
    ['PATCH', '/_app/workspaces/1', { nme: 'B' }, 'nme', 'name'],
    ['PUT', '/_app/workspaces/1/members/2', { role: 'viewer', rol: 1 }, 'rol', 'role'],
    ['POST', '/_app/users', { name: 'A', email: 'a@example.com', emails: 1 }, 'emails', 'email'],
    ['POST', '/_app/keys', { name: 'K', scope: 'read', workspace: 1 }, 'workspace', 'workspace_id'],
    ['POST', '/_app/forms', { title: 'T', response_limt: 1 }, 'response_limt', 'response_limit'],
    ['PATCH', `/_app/forms/${FORM}`, { closesAt: null }, 'closesAt', 'closes_at'],
    ['PATCH', `/_app/forms/${FORM}`, { workspace_id: 1 }, 'workspace_id', undefined],
    [
      'POST',
      '/_app/forms',
      {
        title: 'T',
        questions: [
          { type: 'rating', title: 'Q' },
          { type: 'rating', title: 'Q', requird: true },
        ],
      },
      'questions[1].requird',
      'required',
    ],
    ['POST', '/_app/forms', { title: 'T', questions: [{ tpye: 'rating' }] }, 'questions[0].tpye', 'type'],
    ['POST', '/_app/forms', formWith({ rows: [CHOICE, MISSPELT] }), 'questions[0].rows[1].lable', 'label'],
    ['POST', '/_app/forms', formWith({ columns: [MISSPELT] }), 'questions[0].columns[0].lable', 'label'],
    ['PATCH', `/_app/forms/${FORM}`, { questions: LOGIC }, 'questions[1].show_if.equal', 'equals'],
    [
      'PATCH',
      `/_app/forms/${FORM}`,
      { questions: [{ type: 'dropdown', title: 'Q', options: [CHOICE, MISSPELT] }] },
      'questions[0].options[1].lable',
      'label',
    ],
    ['POST', `/_app/forms/${FORM}/responses`, { answer: [] }, 'answer', 'answers'],
    [
      'POST',
      `/_app/forms/${FORM}/responses`,
      {
        answers: [
          { question_id: 'name', value: 'Ada' },
          { question_id: 'stars', valeu: 1 },
        ],
      },
      'answers[1].valeu',
      'value',
    ],
    ['POST', `/_app/forms/${FORM}/webhooks`, { url: 'http://127.0.0.1:9/', uri: 1 }, 'uri', 'url'],
    ['POST', '/_app/clock/advance', { by: 0, bye: 1 }, 'bye', 'by'],
    ['POST', '/_app/faults', { statsu: 500 }, 'statsu', 'status'],
  ])('%s %s answers 422 for %j', async (method, path, body, field, nearest) => {
    const { server } = await start()
    const before = server.app.snapshot.take()
    const { status, json } = await ask(server, method, path, body)
    expect(status).toBe(422)
    const { error } = json
    expect([error.code, error.details]).toEqual(['validation_failed', { field }])
    const name = field.replace(/^.*\./, '')
    expect(error.message).toContain(
      `"${name}"; ${nearest === undefined ? 'known: ' : `did you mean "${nearest}"?`}`,
    )
    expect(server.app.snapshot.take()).toEqual(before)
    expect(server.app.faults.list()).toEqual([])
  })

  it('[RESP-07] refuses a back-filled answer to an unknown question, in process and over HTTP', async () => {
    const { server } = await start()
    const body = { answers: [{ question_id: 'strs', value: 5 }] }
    expect(() => server.app.responses.create(FORM, body)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        details: { field: 'strs' },
        message: 'Unknown question "strs"; did you mean "stars"?',
      }),
    )
    const drafted = () => server.app.responses.create(FORM, { ...body, status: 'in_progress' })
    expect(drafted).toThrow('Unknown question "strs"')
    const { status, json } = await ask(server, 'POST', `/_app/forms/${FORM}/responses`, body)
    expect([status, json.error.details]).toEqual([422, { field: 'strs' }])
  })

  it('[RESP-07] back-fills answers as the API returns them', async () => {
    const { server } = await start()
    const values = [
      { question_id: 'name', value: 'Ada' },
      { question_id: 'stars', value: 5 },
    ]
    const { answers } = JSON.parse(server.app.responses.create(FORM, { answers: values }).json)
    expect(answers[1]).toMatchObject({ question_id: 'stars', type: 'rating', value: 5, text: '5' })
    expect(JSON.parse(server.app.responses.create(FORM, { answers }).json).answers).toEqual(answers)
  })
})

describe('describeUnknown', () => {
  it.each([
    ['clok', ['clock', 'now'], 'did you mean "clock"?'],
    ['cat', ['dog'], 'known: dog.'],
    ['x', [], 'no names are known here.'],
  ])('%s of %j: %s', (name, known, end) => {
    expect(describeUnknown('option', name, known)).toBe(`Unknown option "${name}"; ${end}`)
  })

  it('is short and quick for a long name and for many known ones', () => {
    const known = Array.from({ length: 5000 }, (_, index) => `question_${index}`)
    const text = describeUnknown('question', 'x'.repeat(1_000_000), known)
    expect(text.length).toBeLessThan(600)
    expect(text).toMatch(/^Unknown question "x{60}…"; known: question_0, .*question_19, ….$/)
  })
})
