import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPTIONS, parse } from '../../packages/cli/test/types/compile.ts'
import { HOSTILE_FORMS, hostileSeed } from '../support/hostile-seed.ts'
import { ALL_HOSTILE_TEXTS } from '../support/hostile-texts.ts'
import { WAIT_MS } from '../support/patience.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { typeErrors, writeProject } from '../support/type-errors.ts'
import { cli, ServerProcess, startCli } from './support.ts'

/** Control, bidirectional, tag and other invisible characters that reach no terminal and no reader as they are. */
const RAW =
  /\p{Cc}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e00ff}]|[\u{e0110}-\u{e0fff}]/u

/** Returns the first raw character of an output beside the tabs and line feeds of its layout. */
const rawIn = (output: string): string | undefined => RAW.exec(output.replace(/[\t\n]/g, ''))?.[0]

const { answers: ANSWERS, places: PLACES } = HOSTILE_FORMS
const COUNT = ALL_HOSTILE_TEXTS.length
const PLACES_RESPONSE = String(COUNT + 1)

let server: ServerProcess

/** Runs the CLI with a key that may write. @throws if the command fails, writes, or prints a raw character to stderr */
async function printed(command: string): Promise<string> {
  const env = { FORMWIRE_API_KEY: server.first.write_key, FORMWIRE_BASE_URL: server.first.url }
  const { code, stdout, stderr } = await cli(command.split(' '), env)
  const requests: { method: string; path: string }[] = (await server.app('GET', '/requests')).body.data
  const methods = requests.filter(({ path }) => path.startsWith('/api/')).map(({ method }) => method)
  expect({ code, stderr: rawIn(stderr), methods: [...new Set(methods)] }).toEqual({
    code: 0,
    stderr: undefined,
    methods: ['GET'],
  })
  return stdout
}

beforeAll(async () => {
  const seed = join(temporaryDirectory(), 'seed.json')
  writeFileSync(seed, JSON.stringify(hostileSeed()))
  server = await ServerProcess.start('--seed', seed, '--rate-limits', 'off')
})
afterAll(() => server?.stop())

/** Returns the texts of a CSV as a strict parser of RFC 4180 reads them. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  for (let at = 0; at < text.length; ) {
    const row: string[] = []
    for (;;) {
      const [whole = '', quoted, plain = ''] = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n)/y.exec(
        text.slice(at),
      ) ?? ['']
      if (whole === '') throw new Error(`not a cell: ${JSON.stringify(text.slice(at, at + 80))}`)
      row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
      at += whole.length
      if (whole.endsWith('\n')) break
    }
    rows.push(row)
  }
  return rows
}

/** Returns a text as UTF-8 has it. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')

/** Without characters that are not printed, and without the apostrophes before formulas. */
const printable = (text: string): string =>
  wellFormed(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\s']/gu, '')

/** Returns the formulas that a spreadsheet would run in a cell, also one that splits at `;`, tabs and line breaks. */
const formulasIn = (cell: string): string[] => [
  ...(cell.match(/^[=@\uff1d\uff20]|[;\t\r\n]["\s]*[=@\uff1d\uff20]/g) ?? []),
  ...(cell.match(/^[+\-\uff0b\uff0d](?![\d .,()]*$)/) ?? []),
]

describe(`${COUNT} hostile texts on the command line`, () => {
  it('are at least 100 different ones', () => {
    expect(new Set(ALL_HOSTILE_TEXTS).size).toBe(COUNT)
    expect(COUNT).toBeGreaterThanOrEqual(100)
  })

  it.each([
    ['forms list --all', COUNT + 2],
    [`responses list ${ANSWERS} --all`, COUNT],
    [`responses tail ${ANSWERS} --since 1d --count ${COUNT}`, COUNT],
    [`responses tail ${PLACES} --since 1d --count 1`, 1],
  ])('add no line, column or control character to the rows of %s', async (command, rows) => {
    const output = await printed(command)
    expect(rawIn(output)).toBeUndefined()
    const lines = output.trimEnd().split('\n')
    expect(lines).toHaveLength(rows)
    expect(new Set(lines.map((line) => line.split('\t').length)).size).toBe(1)
  })

  it.each([
    'forms list --all --format table',
    'forms get title0000001',
    `responses list ${ANSWERS} --all --format table`,
    `responses list ${ANSWERS} --all --format csv`,
    `responses get ${ANSWERS} 30`,
    `responses get ${PLACES} ${PLACES_RESPONSE}`,
    `responses export ${ANSWERS} --format csv`,
    `responses export ${PLACES} --format csv`,
  ])('print no control character with %s', async (command) => {
    const output = (await printed(command)).replaceAll('\r\n', '\n')
    expect(rawIn(output)).toBeUndefined()
    expect(output.length).toBeGreaterThan(20)
  })

  it('add no line to those of an item, whose further lines begin with a tab', async () => {
    const lines = (await printed(`responses get ${PLACES} ${PLACES_RESPONSE}`)).trimEnd().split('\n')
    const names = lines.filter((line) => !line.startsWith('\t')).map((line) => line.split('\t')[0])
    const answers = ['choice', 'file', ...ALL_HOSTILE_TEXTS.map((_, at) => `q${at}`)]
    expect(names.filter((name) => name?.startsWith('answer.'))).toEqual(answers.map((id) => `answer.${id}`))
    expect(names.filter((name) => !/^[a-z_]+$|^answer\.(?:q\d+|choice|file)$/.test(name ?? ''))).toEqual([])
  })

  it.each([
    `responses list ${ANSWERS} --all --json`,
    `responses export ${ANSWERS} --format json`,
    `responses export ${ANSWERS} --format ndjson`,
  ])('stay the same, and escaped, in the JSON of %s', async (command) => {
    const output = await printed(command)
    expect(rawIn(output)).toBeUndefined()
    const text = command.includes('ndjson') ? `[${output.trimEnd().replaceAll('\n', ',')}]` : output
    // A list is newest first.
    const responses = command.includes('list') ? JSON.parse(text).toReversed() : JSON.parse(text)
    const all = [...ALL_HOSTILE_TEXTS]
    expect(responses.map(({ answers }: { answers: { text: string }[] }) => answers[0]?.text)).toEqual(all)
    expect(responses.map(({ email }: { email: string }) => email)).toEqual(all)
    expect(responses.map(({ meta }: { meta: { ref: string } }) => meta.ref)).toEqual(all)
  })

  it('are read back from CSV as far as they are printed, with an apostrophe before each formula', async () => {
    const [header, ...rows] = parseCsv(await printed(`responses export ${ANSWERS} --format csv`))
    const at = header?.indexOf('Answer') ?? -1
    const cells = rows.map((row) => row[at] ?? '')
    expect(cells.map(printable)).toEqual(ALL_HOSTILE_TEXTS.map(printable))
    expect(cells.flatMap(formulasIn)).toEqual([])
    const changed = ALL_HOSTILE_TEXTS.filter(
      (text, index) => text !== cells[index] && text === printable(text),
    )
    expect(changed.filter((text) => formulasIn(text).length === 0)).toEqual([])

    const [titles] = parseCsv(await printed(`responses export ${PLACES} --format csv`))
    expect(titles?.flatMap(formulasIn)).toEqual([])
    expect(titles).toHaveLength(10 + COUNT)
  })

  it('are read back exactly from the CSV of the server, but for the apostrophes', async () => {
    const { text } = await server.app('GET', `/forms/${ANSWERS}/export?format=csv`)
    const [header, ...rows] = parseCsv(text)
    const cells = rows.map((row) => row[header?.indexOf('Answer') ?? -1] ?? '').toReversed()
    const withoutApostrophes = (cell: string): string => cell.replaceAll("'", '')
    expect(cells.map(withoutApostrophes)).toEqual(
      ALL_HOSTILE_TEXTS.map((answer) => withoutApostrophes(wellFormed(answer))),
    )
    expect(cells.flatMap(formulasIn)).toEqual([])
  })

  it('add no code to generated types, which compile', async () => {
    const directory = temporaryDirectory()
    const module = await printed(`types ${PLACES} ${ANSWERS}`)
    expect(rawIn(module)).toBeUndefined()
    const statements = parse(module).statements.map((statement) => statement.getText())
    expect(statements.map((text) => /^export (?:interface|type) (\w+)/.exec(text)?.[1])).toEqual([
      'Places',
      'Answers',
      'TypedAnswer',
      'Choice',
      'OpenId',
      'UploadedFile',
    ])
    writeProject(directory, OPTIONS, { 'forms.ts': module })
    expect(await typeErrors(directory)).toEqual([])
    for (const format of ['zod', 'json-schema'])
      expect(rawIn(await printed(`types ${PLACES} ${ANSWERS} --format ${format}`))).toBeUndefined()
  })
  // The last one, since it adds responses and an endpoint.
  it('add no line or control character to the rows of listen', async () => {
    const listening = startCli(['listen', '--form', ANSWERS, '--count', String(COUNT)], {
      FORMWIRE_API_KEY: server.first.write_key,
      FORMWIRE_BASE_URL: server.first.url,
      FORMWIRE_ADMIN_TOKEN: server.first.admin_token,
    })
    await expect.poll(() => listening.stderr, { timeout: WAIT_MS }).toContain('Ctrl-C')
    for (const value of ALL_HOSTILE_TEXTS) {
      const created = await server.app('POST', `/forms/${ANSWERS}/responses`, {
        answers: [{ question_id: 'a', value }],
        meta: { ref: value },
        deliver: true,
      })
      expect(created.status).toBe(201)
    }
    const { code, stdout, stderr } = await listening.finished
    expect([code, rawIn(stdout), rawIn(stderr)]).toEqual([0, undefined, undefined])
    expect(stdout.trimEnd().split('\n')).toHaveLength(COUNT)
  })
})
