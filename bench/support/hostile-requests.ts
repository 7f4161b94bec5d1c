const MIB = 1_048_576
/** Room that the JSON or the field name around a text needs. */
const TEXT_BYTES = MIB - 4096

interface HostileRequest {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  /** Made when it is sent: all of them together would take a gigabyte. */
  readonly body: () => Uint8Array
}

interface Target {
  readonly url: string
  readonly adminToken: string
  readonly writeKey: string
}

const JSON_TYPE = { 'content-type': 'application/json' }
const POST_TYPE = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
const BOUNDARY = 'a-boundary-of-thirty-characters'
const MULTIPART_TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, accept: 'text/html' }

const OPTIONS = [
  { id: 'a', label: 'A' },
  { id: 'b', label: 'B' },
]
/** Every question type, with what its definition needs. */
const QUESTIONS: readonly Readonly<Record<string, unknown>>[] = [
  ...['short_text', 'long_text', 'email', 'url', 'phone', 'date', 'time', 'number', 'scale', 'rating'],
  ...['nps', 'slider', 'yes_no', 'file', 'signature', 'address'],
]
  .map((type): Record<string, unknown> => ({ type }))
  .concat(
    ['single_choice', 'multiple_choice', 'dropdown'].map((type) => ({
      type,
      options: OPTIONS,
      allow_other: true,
    })),
    [{ type: 'ranking', options: OPTIONS }],
    ['grid_single', 'grid_multiple'].map((type) => ({ type, rows: OPTIONS, columns: OPTIONS })),
  )

/** A text of about `TEXT_BYTES` bytes in UTF-8. */
const filled = (unit: string): string => unit.repeat(Math.floor(TEXT_BYTES / Buffer.byteLength(unit)))

/** Texts on which a naive parser, pattern or normalization takes quadratic time, or much memory for a byte. */
const TEXTS: Readonly<Record<string, string>> = {
  'one letter': filled('a'),
  digits: `${filled('1')}x`,
  'white space': `x${filled(' ')}x`,
  dots: filled('a.'),
  'combining marks': `a${filled('\u0301\u0316\u0327')}`,
  emoji: filled('😀'),
  'quotation marks': filled('"'),
  'line ends': filled('\r\n'),
  'control characters': filled('\u0001').slice(0, TEXT_BYTES / 6),
  'an email of labels': `a@${filled('b.')}c`,
  'a url of labels': `https://${filled('a.')}com`,
  'a url of combining marks': `https://a${filled('\u0301\u0316\u0327')}`,
  'a url of ideographs': `https://${Array.from({ length: TEXT_BYTES / 3 }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7919) % 20_000))).join('')}`,
  'a url of path segments': `https://example.com/${filled('a/../')}`,
}

/** Requests that try to hold the server's event loop; makes the forms that they are sent to. */
export async function hostileRequests(target: Target): Promise<HostileRequest[]> {
  const admin = { authorization: `Bearer ${target.adminToken}` }
  const key = { authorization: `Bearer ${target.writeKey}` }
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${target.url}${path}`, {
      method,
      headers: { ...admin, ...JSON_TYPE },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { data: { id: string; slug: string }; error?: object }
    return { ...answer.data, error: answer.error }
  }
  const publish = async (questions: readonly object[]): Promise<{ id: string; slug: string } | undefined> => {
    const made = await call('POST', '/_app/forms', { title: 'Hostile', questions })
    if (made.error) return undefined
    return call('POST', `/_app/forms/${made.id}/publish`)
  }
  const requests: HostileRequest[] = []
  const add = (
    name: string,
    method: string,
    path: string,
    headers: Record<string, string> = {},
    text: () => string = () => '',
  ): void => {
    const body = (): Uint8Array => {
      const bytes = Buffer.from(text())
      if (bytes.byteLength > MIB) throw new Error(`${name} is larger than 1 MiB: ${bytes.byteLength} bytes.`)
      return bytes
    }
    requests.push({ name, method, path, headers, body })
  }

  for (const [index, question] of QUESTIONS.entries()) {
    const form = await publish([{ id: 'q', title: 'Q', required: true, ...question }])
    if (!form) throw new Error(`${question.type} was refused.`)
    for (const [what, text] of Object.entries(TEXTS)) {
      const own = `${question.type}: ${what}`
      add(own, 'POST', `/f/${form.slug}`, JSON_TYPE, () => jsonAnswer('q', textValue(question, text)))
      add(`${own}, draft`, 'POST', `/f/${form.slug}/drafts`, JSON_TYPE, () =>
        jsonAnswer('q', textValue(question, text)),
      )
      add(`${own}, form post`, 'POST', `/f/${form.slug}`, POST_TYPE, () =>
        withinMib(text, (value) => new URLSearchParams({ 'q[q]': value }).toString()),
      )
      if (index === 0)
        add(`email of a submission: ${what}`, 'POST', `/f/${form.slug}`, JSON_TYPE, () =>
          withinMib(text, (email) => JSON.stringify({ email, answers: [] })),
        )
    }
  }

  const text = await publish([{ id: 'q', type: 'short_text', title: 'Q', required: true }])
  const slug = text?.slug ?? ''
  const formId = text?.id ?? ''
  for (const [what, value] of Object.entries(TEXTS)) {
    add(`webhook url: ${what}`, 'POST', `/api/v1/forms/${formId}/webhooks`, { ...key, ...JSON_TYPE }, () =>
      withinMib(value, (url) => JSON.stringify({ url })),
    )
    add(`form title: ${what}`, 'PATCH', `/api/v1/forms/${formId}`, { ...key, ...JSON_TYPE }, () =>
      withinMib(value, (title) => JSON.stringify({ title })),
    )
    add(`control, form title: ${what}`, 'POST', '/_app/forms', { ...admin, ...JSON_TYPE }, () =>
      withinMib(value, (title) => JSON.stringify({ title })),
    )
    add(`control, question title: ${what}`, 'POST', '/_app/forms', { ...admin, ...JSON_TYPE }, () =>
      withinMib(value, (title) => JSON.stringify({ title: 'T', questions: [{ type: 'short_text', title }] })),
    )
    add(`control, option label: ${what}`, 'POST', '/_app/forms', { ...admin, ...JSON_TYPE }, () =>
      withinMib(value, (label) =>
        JSON.stringify({
          title: 'T',
          questions: [{ type: 'dropdown', title: 'T', options: [{ id: 'a', label }] }],
        }),
      ),
    )
    add(`control, user email: ${what}`, 'POST', '/_app/users', { ...admin, ...JSON_TYPE }, () =>
      withinMib(value, (email) => JSON.stringify({ name: 'N', email })),
    )
    add(`control, key name: ${what}`, 'POST', '/_app/keys', { ...admin, ...JSON_TYPE }, () =>
      withinMib(value, (name) => JSON.stringify({ name, scope: 'read' })),
    )
    add(`control, opens_at: ${what}`, 'POST', '/_app/forms', { ...admin, ...JSON_TYPE }, () =>
      withinMib(value, (opens_at) => JSON.stringify({ title: 'T', opens_at })),
    )
    add(`control, clock: ${what}`, 'POST', '/_app/clock/advance', { ...admin, ...JSON_TYPE }, () =>
      withinMib(value, (by) => JSON.stringify({ by })),
    )
    add(`control, fault path: ${what}`, 'POST', '/_app/faults', { ...admin, ...JSON_TYPE }, () =>
      withinMib(value, (path) => JSON.stringify({ path: `/${path}`, status: 700 })),
    )
    const header =
      [...value]
        .slice(0, 12_000)
        .join('')
        .replace(/[^\x21-\x7e]/g, '') || 'a'
    add(`user agent: ${what}`, 'POST', `/f/${slug}`, { ...JSON_TYPE, 'user-agent': header }, () =>
      jsonAnswer('q', 'x'),
    )
    add(`accept: ${what}`, 'GET', `/f/${slug}`, { accept: header })
    add(`authorization: ${what}`, 'GET', '/api/v1/me', { authorization: `Bearer ${header}` })
    add(`query: ${what}`, 'GET', `/f/${slug}?ref=${encodeURIComponent(header).slice(0, 12_000)}`)
    add(
      `since: ${what}`,
      'GET',
      `/api/v1/forms/${formId}/responses?since=2026-01-01T00:00:00.${encodeURIComponent(header).slice(0, 12_000)}`,
      key,
    )
    add(`path: ${what}`, 'GET', `/f/${encodeURIComponent(header).slice(0, 12_000)}`)
    add(`cookie: ${what}`, 'GET', `/f/${slug}`, { cookie: header })
  }

  const encodedKey = `svc_a%${'25'.repeat(6000)}41`
  add('query: key encoded 6,001 times', 'GET', `/api/v1/me?${encodedKey}`)
  add('path: key encoded 6,001 times', 'GET', `/api/v1/${encodedKey}`)
  add('user agent: key encoded 6,001 times', 'GET', '/api/v1/me', { 'user-agent': encodedKey })
  add(
    'JSON: nested arrays',
    'POST',
    `/f/${slug}`,
    JSON_TYPE,
    () => `{"answers":${'['.repeat(MIB / 2 - 50)}${']'.repeat(MIB / 2 - 50)}}`,
  )
  add(
    'JSON: nested objects',
    'POST',
    `/f/${slug}`,
    JSON_TYPE,
    () => `{"answers":[{"question_id":"q","value":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}}]}`,
  )
  add(
    'JSON: many members',
    'POST',
    `/f/${slug}`,
    JSON_TYPE,
    () => `{${Array.from({ length: 90_000 }, (_, i) => `"${i}a":1`).join(',')}}`,
  )
  add('JSON: many answers', 'POST', `/f/${slug}`, JSON_TYPE, () =>
    JSON.stringify({
      answers: Array.from({ length: 28_000 }, (_, i) => ({ question_id: `${i}`, value: 1 })),
    }),
  )
  add('JSON: one question answered often', 'POST', `/f/${slug}`, JSON_TYPE, () =>
    JSON.stringify({ answers: Array.from({ length: 33_000 }, () => ({ question_id: 'q', value: 1 })) }),
  )
  add(
    'JSON: a long number',
    'POST',
    `/f/${slug}`,
    JSON_TYPE,
    () => `{"answers":[{"question_id":"q","value":${'9'.repeat(TEXT_BYTES)}}]}`,
  )
  add('form post: many fields of one name', 'POST', `/f/${slug}`, POST_TYPE, () => 'a&'.repeat(MIB / 2))
  add('form post: many names', 'POST', `/f/${slug}`, POST_TYPE, () =>
    Array.from({ length: 150_000 }, (_, i) => i.toString(36)).join('&'),
  )
  add('form post: many equals signs', 'POST', `/f/${slug}`, POST_TYPE, () => '='.repeat(MIB))
  add(
    'form post: percent-encoded',
    'POST',
    `/f/${slug}`,
    POST_TYPE,
    () => `q[q]=${'%41'.repeat(TEXT_BYTES / 3)}`,
  )
  add(
    'form post: percent-encoded quotation marks',
    'POST',
    `/f/${slug}`,
    POST_TYPE,
    () => `q[other]=${'%22'.repeat(TEXT_BYTES / 3)}`,
  )
  const options = Array.from({ length: 5000 }, (_, i) => ({ id: `o${i}`, label: `${i}` }))
  for (const type of ['multiple_choice', 'single_choice', 'dropdown', 'ranking']) {
    const form = await publish([{ id: 'q', type, title: 'Q', required: true, options }])
    if (!form) continue
    add(`form post: ${type} of 5,000 options, one chosen often`, 'POST', `/f/${form.slug}`, POST_TYPE, () =>
      'q[q]=x&'.repeat(120_000),
    )
    add(`form post: ${type} of 5,000 options, all chosen`, 'POST', `/f/${form.slug}`, POST_TYPE, () =>
      options
        .map(({ id }) => `q[q]=${id}&`)
        .join('')
        .repeat(20)
        .slice(0, MIB),
    )
    add(`JSON: ${type} of 5,000 options, all chosen`, 'POST', `/f/${form.slug}`, JSON_TYPE, () =>
      jsonAnswer('q', { ids: options.map(({ id }) => id) }),
    )
    add(`page: ${type} of 5,000 options`, 'GET', `/f/${form.slug}`, { accept: 'text/html' })
  }

  const multipart = (part: string): string => part.repeat(Math.floor((MIB - 100) / Buffer.byteLength(part)))
  const end = `--${BOUNDARY}--\r\n`
  const part = (name: string, value: string, more = ''): string =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
  const uploads = await publish([{ id: 'q', type: 'file', title: 'Q' }])
  for (const [where, path] of [
    ['submission', `/f/${uploads?.slug}`],
    ['upload', `/f/${uploads?.slug}/files`],
  ] as const) {
    add(`multipart ${where}: many parts`, 'POST', path, MULTIPART_TYPE, () => multipart(part('a', '')) + end)
    add(
      `multipart ${where}: many files`,
      'POST',
      path,
      MULTIPART_TYPE,
      () => multipart(part('q[q]', 'x', '; filename="f"')) + end,
    )
    add(
      `multipart ${where}: short boundary`,
      'POST',
      path,
      { ...MULTIPART_TYPE, 'content-type': 'multipart/form-data; boundary=b' },
      () => `${multipart('--b\r\n\r\n')}--b--`,
    )
    add(
      `multipart ${where}: bare boundaries`,
      'POST',
      path,
      MULTIPART_TYPE,
      () => multipart(`--${BOUNDARY}\r\n`) + end,
    )
    add(
      `multipart ${where}: a long name`,
      'POST',
      path,
      MULTIPART_TYPE,
      () => part('a'.repeat(TEXT_BYTES), 'x') + end,
    )
    add(
      `multipart ${where}: a long file name`,
      'POST',
      path,
      MULTIPART_TYPE,
      () => part('q[q]', 'x', `; filename="${'a/'.repeat(TEXT_BYTES / 2)}"`) + end,
    )
    add(
      `multipart ${where}: percent-encoded name`,
      'POST',
      path,
      MULTIPART_TYPE,
      () => part('%22'.repeat(TEXT_BYTES / 3), 'x') + end,
    )
    add(
      `multipart ${where}: many headers`,
      'POST',
      path,
      MULTIPART_TYPE,
      () => `--${BOUNDARY}\r\n${'a: b\r\n'.repeat(170_000)}\r\n${end}`,
    )
    add(
      `multipart ${where}: a long header`,
      'POST',
      path,
      MULTIPART_TYPE,
      () => `--${BOUNDARY}\r\n${'a: '.repeat(TEXT_BYTES / 3)}\r\n${end}`,
    )
    add(
      `multipart ${where}: almost boundaries`,
      'POST',
      path,
      MULTIPART_TYPE,
      () => part('q[q]', `\r\n--${BOUNDARY.slice(0, -1)}`.repeat(30_000), '; filename="f"') + end,
    )
    add(
      `multipart ${where}: line ends`,
      'POST',
      path,
      MULTIPART_TYPE,
      () => part('q[q]', '\r\n'.repeat(TEXT_BYTES / 2)) + end,
    )
  }

  const cells = (rows: number, columns: number) => ({
    type: 'grid_multiple',
    title: 'G',
    rows: Array.from({ length: rows }, (_, i) => ({ id: `${i}`, label: `${i}` })),
    columns: Array.from({ length: columns }, (_, i) => ({ id: `${i}`, label: `${i}` })),
  })
  const definitions: Readonly<Record<string, readonly object[]>> = {
    '40 grids of 500 × 100': Array.from({ length: 40 }, () => cells(500, 100)),
    'one grid of 500 × 100': [cells(500, 100)],
    'one grid of 500 × 20': [cells(500, 20)],
    '10,000 short texts': Array.from({ length: 10_000 }, () => ({
      type: 'short_text',
      title: 'Q',
      required: true,
    })),
    '500 short texts': Array.from({ length: 500 }, () => ({
      type: 'short_text',
      title: 'Q',
      required: true,
    })),
    '500 urls': Array.from({ length: 500 }, () => ({ type: 'url', title: 'Q', required: true })),
    '500 dates': Array.from({ length: 500 }, () => ({ type: 'date', title: 'Q', required: true })),
    'a long title repeated by conditions': [
      { id: 'q', type: 'yes_no', title: 'T'.repeat(600_000) },
      ...Array.from({ length: 4000 }, () => ({
        type: 'yes_no',
        title: 'D',
        show_if: { question_id: 'q', equals: 'yes' },
      })),
    ],
    'a long label repeated by conditions': [
      { id: 'q', type: 'dropdown', title: 'T', options: [{ id: 'a', label: 'L'.repeat(600_000) }] },
      ...Array.from({ length: 4000 }, () => ({
        type: 'yes_no',
        title: 'D',
        show_if: { question_id: 'q', equals: 'a' },
      })),
    ],
    'conditions on the last of 5,000 options': [
      { id: 'q', type: 'multiple_choice', title: 'T', options },
      ...Array.from({ length: 9000 }, () => ({
        type: 'yes_no',
        title: 'D',
        show_if: { question_id: 'q', equals: 'o4999' },
      })),
    ],
    'rankings of 30 long labels': Array.from({ length: 100 }, () => ({
      type: 'ranking',
      title: 'R',
      options: Array.from({ length: 30 }, (_, i) => ({ id: `${i}`, label: 'L'.repeat(300) })),
    })),
    'grid columns with long labels': Array.from({ length: 4 }, () => ({
      ...cells(500, 1),
      columns: [{ id: 'c', label: 'L'.repeat(200_000) }],
    })),
    'quotation marks in titles': Array.from({ length: 500 }, () => ({
      type: 'short_text',
      title: '"'.repeat(1000),
    })),
    'ids that look like default ones': Array.from({ length: 1400 }, (_, i) =>
      i === 0 ? { type: 'date', title: 'D' } : { id: `q1${'_'.repeat(i - 1)}`, type: 'date', title: 'D' },
    ),
    'points of 5,000 options': [
      {
        id: 'q',
        type: 'multiple_choice',
        title: 'T',
        options,
        points: Object.fromEntries(options.map(({ id }, i) => [id, i])),
      },
    ],
  }
  for (const [what, questions] of Object.entries(definitions)) {
    const body = JSON.stringify({ title: 'T', questions })
    if (Buffer.byteLength(body) > MIB) throw new Error(`${what} is larger than 1 MiB.`)
    add(`control, create: ${what}`, 'POST', '/_app/forms', { ...admin, ...JSON_TYPE }, () => body)
    const form = await publish(questions)
    if (!form) continue
    add(`page: ${what}`, 'GET', `/f/${form.slug}`, { accept: 'text/html' })
    add(`page with errors: ${what}`, 'POST', `/f/${form.slug}`, POST_TYPE, () => 'a=b')
    add(`form as JSON: ${what}`, 'GET', `/f/${form.slug}`, { accept: 'application/json' })
    add(`control, form: ${what}`, 'GET', `/_app/forms/${form.id}`, admin)
    const answers = questions.map((question, i) => ({
      question_id: (question as { id?: string }).id ?? `q${i + 1}`,
      value: densest(question),
    }))
    const body2 = JSON.stringify({
      answers: answers.slice(
        0,
        Math.floor(answers.length * Math.min(1, ((MIB - 100) / JSON.stringify({ answers }).length) * 0.98)),
      ),
    })
    add(`submission: ${what}`, 'POST', `/f/${form.slug}`, JSON_TYPE, () =>
      body2.length <= MIB ? body2 : '{}',
    )
  }

  const stored = await publish([{ id: 'q', type: 'long_text', title: 'Q' }])
  for (const [what, unit] of [
    ['letters', 'a'],
    ['ideographs', '一'],
    ['quotation marks', '"'],
  ] as const) {
    const listed = await publish([{ id: 'q', type: 'long_text', title: 'Q' }])
    const body = withinMib(filled(unit), (value) =>
      JSON.stringify({ answers: [{ question_id: 'q', value }] }),
    )
    for (let n = 0; n < 100; n += 1)
      await (
        await fetch(`${target.url}/f/${listed?.slug}`, { method: 'POST', headers: JSON_TYPE, body })
      ).arrayBuffer()
    add(
      `list of 100 responses of 1 MiB of ${what}`,
      'GET',
      `/api/v1/forms/${listed?.id}/responses?per_page=100`,
      key,
    )
    add(`control, list of responses of 1 MiB of ${what}`, 'GET', `/_app/forms/${listed?.id}/responses`, admin)
  }
  add('one response of 1 MiB', 'POST', `/f/${stored?.slug}`, JSON_TYPE, () => jsonAnswer('q', filled('a')))
  return requests
}

/** Where a question takes a text, or what holds one. */
function textValue({ type }: Readonly<Record<string, unknown>>, text: string): unknown {
  if (type === 'address') return { line1: text }
  if (String(type).includes('choice') || type === 'dropdown') return { ids: [], other: text }
  return text
}

/** A value of a question that makes the response as large as it can be for its bytes. */
function densest(question: object): unknown {
  const { type, rows, columns, options } = question as Record<string, { id: string }[] | undefined> & {
    type: string
  }
  if (rows && columns)
    return Object.fromEntries(rows.map(({ id }) => [id, columns.slice(0, 20).map((column) => column.id)]))
  if (options) return { ids: options.map(({ id }) => id) }
  if (type === 'yes_no') return { ids: ['yes'] }
  if (type === 'url')
    return `https://${'一二三四五六七八九十'.repeat(6)}.${'一二三四五六七八九十'.repeat(6)}.${'一二三四五六七八九十'.repeat(6)}.example`
  return type === 'date' ? '2026-01-01' : 'x'
}

const jsonAnswer = (id: string, value: unknown): string =>
  fitAnswer(value, (fitted) => JSON.stringify({ answers: [{ question_id: id, value: fitted }] }))

function fitAnswer(value: unknown, write: (value: unknown) => string): string {
  if (typeof value === 'string') return withinMib(value, write)
  const [[name, text] = ['', '']] = Object.entries(value as object).filter(
    ([, member]) => typeof member === 'string',
  )
  return withinMib(text, (fitted) =>
    write({ ...(value as object), ...(name === '' ? {} : { [name]: fitted }) }),
  )
}

/** What is written of a text, or of as much of it as fits into 1 MiB. */
function withinMib(text: string, write: (text: string) => string): string {
  const whole = write(text)
  const bytes = Buffer.byteLength(whole)
  if (bytes <= MIB) return whole
  return write(text.slice(0, Math.floor((text.length * (MIB - 1000)) / bytes)))
}
