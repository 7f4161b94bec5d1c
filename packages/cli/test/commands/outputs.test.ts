import { expect, it } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { oneService, PARTY, SURVEY } from '../support/service.ts'

const service = oneService()

/** A command line that changes nothing, after the rule that it proves, and what it prints; `URL` stands for the server. */
interface Row {
  line: string
  /** Columns of a terminal; without it stdout is a pipe. */
  terminal?: number
  env?: Record<string, string>
  stdout?: string
  stderr?: string
}

const ROWS: readonly Row[] = [
  {
    line: 'whoami',
    stdout: `user\tAda Byron <ada@example.com>
workspace\tAnalytical (1)
role\towner
key\tCI (svc_wwwwww…)
scope\twrite
key_source\tFORMWIRE_API_KEY
base_url\tURL
`,
  },
  {
    line: '[ME-01] whoami --json',
    stdout:
      '{"user":{"id":1,"name":"Ada Byron","email":"ada@example.com"},"workspace":{"id":1,"name":"Analytical","role":"owner"},"key":{"id":1,"name":"CI","prefix":"svc_wwwwww","scope":"write"}}\n',
  },
  {
    line: '[FORM-01] forms list',
    stdout: `${SURVEY}\tCustomer survey\tpublished\t2\t2026-11-21T10:00:00.000Z
${PARTY}\tParty\tclosed\t0\t2026-11-21T07:00:00.000Z
`,
  },
  {
    line: 'forms list',
    terminal: 80,
    stdout: `ID            TITLE            STATUS     RESPONSES  UPDATED
survey000001  Customer survey  published          2  2 hours ago
party0000001  Party            closed             0  5 hours ago

2 forms
`,
  },
  {
    line: 'forms list --limit 1',
    stdout: `${SURVEY}\tCustomer survey\tpublished\t2\t2026-11-21T10:00:00.000Z\n`,
    stderr: '1 of 2 forms; use --all to see all\n',
  },
  {
    line: 'forms list --limit 1 --quiet',
    stdout: `${SURVEY}\tCustomer survey\tpublished\t2\t2026-11-21T10:00:00.000Z\n`,
  },
  {
    line: 'forms list --limit 1 --page 2',
    stdout: `${PARTY}\tParty\tclosed\t0\t2026-11-21T07:00:00.000Z\n`,
    stderr: 'number 2 of 2 forms; use --all to see all\n',
  },
  {
    line: 'forms list --limit 1 --all',
    stdout: `${SURVEY}\tCustomer survey\tpublished\t2\t2026-11-21T10:00:00.000Z
${PARTY}\tParty\tclosed\t0\t2026-11-21T07:00:00.000Z
`,
  },
  { line: 'forms list --status archived', stderr: 'no forms found\n' },
  { line: 'forms list --status archived --json', stdout: '[]\n' },
  {
    line: 'forms list --format csv --status closed',
    stdout:
      'id,title,status,slug,url,published,response_count,response_limit,opens_at,closes_at,created_at,updated_at\r\n' +
      `${PARTY},Party,closed,party,URL/f/party,true,0,,,,2026-11-21T07:00:00.000Z,2026-11-21T07:00:00.000Z\r\n`,
  },
  {
    line: 'forms list --format table --status published',
    stdout: `ID            TITLE            STATUS     RESPONSES  UPDATED
${SURVEY}  Customer survey  published          2  2 hours ago
`,
  },
  {
    line: 'forms ls --format tsv -L 1',
    terminal: 80,
    stdout: `${SURVEY}\tCustomer survey\tpublished\t2\t2026-11-21T10:00:00.000Z\n`,
    stderr: '1 of 2 forms; use --all to see all\n',
  },
  {
    line: 'forms list --format ndjson --json=id,status',
    stdout: `{"id":"${SURVEY}","status":"published"}\n{"id":"${PARTY}","status":"closed"}\n`,
  },
  { line: 'forms list --json=title,id -L 1', stdout: `[{"title":"Customer survey","id":"${SURVEY}"}]\n` },
  { line: '--json=title,id forms list -L 1', stdout: `[{"title":"Customer survey","id":"${SURVEY}"}]\n` },
  { line: 'forms list --format json --json=id', stdout: `[{"id":"${SURVEY}"},{"id":"${PARTY}"}]\n` },
  { line: `forms get --json=title ${PARTY}`, stdout: '{"title":"Party"}\n' },
  {
    line: `forms get ${PARTY}`,
    stdout: `id\tparty0000001
title\tParty
status\tclosed
url\tURL/f/party
slug\tparty
published\ttrue
response_count\t0
response_limit\t
opens_at\t
closes_at\t
created_at\t2026-11-21T07:00:00.000Z
updated_at\t2026-11-21T07:00:00.000Z
`,
  },
  {
    line: `[RESP-01] responses list ${SURVEY}`,
    stdout: `2\t2026-11-21T11:30:00.000Z\t\t\t5 · Fast, "kind"
1\t2026-11-21T09:00:00.000Z\tbo@example.com\t\tBo · 4
`,
  },
  ...[
    {
      terminal: 80,
      stdout: `ID  SUBMITTED       EMAIL           NAME  STARS  WHY?
 2  30 minutes ago                        5      Fast, "kind"
 1  3 hours ago     bo@example.com  Bo    4

2 responses
`,
    },
    {
      terminal: 40,
      stdout: `ID  SUBMITTED       EMAIL           NAME
 2  30 minutes ago
 1  3 hours ago     bo@example.com  Bo

2 responses
`,
    },
  ].map((on) => ({ ...on, line: `responses list ${SURVEY} --status submitted` })),
  {
    line: `responses list ${SURVEY} --status submitted -L 1`,
    stdout: '2\t2026-11-21T11:30:00.000Z\tsubmitted\t\t\t5 · Fast, "kind"\n',
    stderr: '1 of 2 responses; use --all to see all\n',
  },
  {
    line: `responses list ${SURVEY} --json=id,answer.stars,answer.nosuch`,
    stdout:
      '[{"id":2,"answer.stars":5,"answer.nosuch":null},{"id":1,"answer.stars":4,"answer.nosuch":null}]\n',
  },
  {
    line: `responses get ${SURVEY} 2`,
    stdout: `id\t2
form_id\tsurvey000001
status\tsubmitted
started_at\t2026-11-21T11:30:00.000Z
submitted_at\t2026-11-21T11:30:00.000Z
duration_sec\t0
email\t
score\t
answer.stars\t5
answer.why\tFast,
\t"kind"
`,
  },
  {
    line: `responses export ${SURVEY}`,
    stdout:
      'id,status,started_at,submitted_at,duration_sec,email,score,max_score,Name,Stars,Why?\r\n' +
      '1,submitted,2026-11-21T09:00:00.000Z,2026-11-21T09:00:00.000Z,0,bo@example.com,,,Bo,4,\r\n' +
      '2,submitted,2026-11-21T11:30:00.000Z,2026-11-21T11:30:00.000Z,0,,,,,5,"Fast,\n""kind"""\r\n',
    stderr: '2 responses\n',
  },
  {
    line: `responses export ${SURVEY} --format ndjson --json=id`,
    stdout: '{"id":1}\n{"id":2}\n',
  },
  {
    line: `responses export ${SURVEY} --json=id,answer.stars`,
    stdout: '[{"id":1,"answer.stars":4},\n{"id":2,"answer.stars":5}]\n',
  },
  { line: `responses export ${PARTY} --json`, stdout: '[]\n' },
  {
    line: `responses tail ${SURVEY} --since 2026-11-21 --count 2 --json=id,answer.stars`,
    stdout: '{"id":1,"answer.stars":4}\n{"id":2,"answer.stars":5}\n',
  },
  {
    line: `[HOOK-01] webhooks list ${SURVEY}`,
    stdout: '1\thttp://127.0.0.1:9/hook\tpaused\t2026-11-21T08:30:00.000Z\n',
  },
  {
    line: `deliveries list ${SURVEY} 1 --format csv`,
    stdout:
      'id,event,status,response_id,http_status,error,receiver_answer,attempts,next_attempt_at,note,created_at,form_id,webhook_id,payload\r\n',
    stderr: 'no deliveries found\n',
  },
  {
    line: `webhooks list ${SURVEY}`,
    terminal: 80,
    env: { FORMWIRE_ADMIN_TOKEN: '' },
    stdout: `ID  URL                      STATUS  CREATED
 1  http://127.0.0.1:9/hook  paused  3 hours ago

1 webhook endpoint
`,
  },
  { line: `webhooks list ${PARTY}`, stderr: 'no webhook endpoints found\n' },
  {
    line: `webhooks list ${PARTY} --format csv`,
    stdout: 'id,url,active,created_at\r\n',
    stderr: 'no webhook endpoints found\n',
  },
  {
    line: `responses export ${SURVEY} --status in_progress --format ndjson --json=id`,
    stdout: '{"id":3}\n',
    stderr: '',
  },
  { line: 'profiles list', stderr: 'no profiles found\n' },
  { line: 'profiles list --json', stdout: '[]\n' },
  { line: 'profiles list --format csv', stdout: 'name,base_url,current\r\n', stderr: 'no profiles found\n' },
]

it.each(ROWS)('$line, columns: $terminal', async ({ line, terminal, env, stdout = '', stderr = '' }) => {
  const { code, ...printed } = await runCli(line.replace(/^\[.*?\] /, ''), {
    env: { ...service.env, NO_COLOR: '1', ...env },
    ...(terminal !== undefined && { terminal }),
  })
  expect([code, printed.stdout.replaceAll(service.url, 'URL'), printed.stderr]).toEqual([0, stdout, stderr])
})
