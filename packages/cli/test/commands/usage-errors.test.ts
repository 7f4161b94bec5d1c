import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { runCli } from '../support/run-cli.ts'
import { oneService, PARTY, SURVEY } from '../support/service.ts'

const service = oneService()
let folder: string
beforeEach(() => {
  folder = temporaryDirectory()
  mkdirSync(join(folder, 'directory'))
  writeFileSync(join(folder, 'directory', `${SURVEY}.json`), '{"version":2}')
  writeFileSync(join(folder, 'file'), 'text')
  writeFileSync(join(folder, 'fleet.json'), '{"workspaces":[{"name":"main","apiKeyEnv":["KEY_A"]}]}')
  writeFileSync(join(folder, 'story.json'), '{"version":1,"responses":[{"at_ms":"soon"}],"steps":[]}')
})

const FORMS = 'commands of formwire forms: list, get, close, reopen, rename'
const NOT_IN_API = `${FORMS}\n  The API can neither create nor delete forms: do that in the app.`
const NODE = `-- ${process.execPath} -e 0`
const HANDLED_URL = '--handled-url must not contain a user name or password'
const NOT_SQL = '--to must be sqlite:PATH or postgres'
const NO_ARGUMENTS = 'formwire forms list has no arguments. Run "formwire forms list --help" for its options.'
const NAME =
  'a profile name must consist of letters, digits, ".", "_" and "-", start with a letter or digit, and have at most 64 characters'
const PATH_OR_URL = '--handled-url must be an http or https URL, or a path that begins with /'
const SINCE =
  'for example 2026-11-21, 2026-11-21T09:30Z, 30m, 2h, 7d or 2w (back from now); a time without a zone is UTC'
const PASSWORD = 'a database password must not be on the command line'

/** Command lines with the first lines of what they print; `@` stands for a folder, and `␣` for a space in a word. */
const REFUSED: Readonly<Record<string, string>> = {
  formz: "unknown command 'formz'\n  Did you mean forms?\n",
  'forms lst': "unknown command 'forms lst'\n  Did you mean formwire forms list?\n",
  'export F': "unknown command 'export'\n  Did you mean formwire responses export?\n",
  tail: "unknown command 'tail'\n  Did you mean formwire responses tail or formwire deliveries tail?\n",
  'trigger test.ping --key-stdin':
    "unknown option '--key-stdin'\n  formwire trigger calls it --secret-stdin\n",
  'login --secret-stdin': "unknown option '--secret-stdin'\n  formwire login calls it --key-stdin\n",
  'types F --output x.ts': "unknown option '--output'\n  formwire types calls it --out\n",
  'forms list --insecure':
    "unknown option '--insecure'\n  It is an option of formwire listen, formwire replay, formwire trigger.\n",
  'forms list --lmit 3': "unknown option '--lmit'\n  Did you mean --limit?\n",
  'forms get': `missing required argument 'form'\n  Usage: formwire forms get [options] <form>\n  form: id of the form\n`,
  'forms list --profile': `option '--profile <name>' requires a value\n  Run "formwire --help" for usage.\n`,
  'forms list --admin-token=hush': `unknown option '--admin-token'\n  It is an option of formwire deliveries list, formwire deliveries show, formwire deliveries tail, formwire deliveries replay, formwire deliveries test, formwire deliveries pause, formwire deliveries resume, formwire listen.\n`,
  'forms list --nope=3': `unknown option '--nope'\n  Run "formwire forms list --help" for usage.\n`,
  'responses get F abc': 'the response id must be an integer, got "abc"\n',
  'listen --respond 99':
    '--respond must be a list of statuses from 200 to 599, such as 500,500,200, got "99"',
  'responses guestvoice01': `unknown command 'responses guestvoice01'\n  commands of formwire responses: list, get, delete, submit, tail, export\n  If it is the id of a form, run "formwire responses list guestvoice01".\n`,
  'forms guestvoice01': `unknown command 'forms guestvoice01'\n  ${FORMS}\n  If it is the id of a form, run "formwire forms get guestvoice01".\n`,
  'forms rm guestvoice01': `unknown command 'forms rm'\n  ${NOT_IN_API}\n`,
  'forms create guestvoice01': `unknown command 'forms create'\n  ${NOT_IN_API}\n`,
  'completion tcsh': 'no completion for "tcsh"\n  supported shells: bash, zsh, fish, powershell\n',
  'listen --poll': '--poll requires --form',
  'listen --public-url https://tunnel.example.com': '--public-url requires --form',
  'listen --secret-file @/x': '--secret-file requires --form',
  'listen --form PARTY --since 2h': '--since requires --poll',
  'listen --form PARTY --poll --port 0': '--port cannot be combined with --poll',
  'listen --form PARTY --poll --since wrong': `--since must be an ISO 8601 time or a span, got "wrong"\n  ${SINCE}`,
  'listen --form PARTY --form PARTY': `--form ${PARTY} was given twice`,
  'listen --form PARTY --forward-to other0000001=3000':
    '--forward-to names form other0000001, which is not followed',
  'listen --forward-to 3000 --forward-to 4000': '--forward-to was given twice',
  'listen --form PARTY --view live': '--view live requires a terminal',
  'listen --form PARTY --view tree': '--view must be one of live, lines, quiet, got "tree"',
  'listen --form PARTY node app.js': `unexpected argument "node"\n  put the handler's command after --, such as: -- node app.js`,
  'listen --port=65536': '--port must be an integer from 0 to 65535, got "65536"',
  'listen --port=-1': '--port must be an integer from 0 to 65535, got "-1"',
  'listen --port=http': '--port must be an integer from 0 to 65535, got "http"',
  'listen --header X-Tenant': '--header must be NAME:VALUE',
  'listen --header X/Tenant:acme': '--header "X/Tenant" is not a valid HTTP header',
  'listen --header X-Service-Signature:x':
    '--header cannot set X-Service-Signature: it is part of the delivery',
  'trigger nonsense --forward-to 9': 'the event must be response.submitted or test.ping, got "nonsense"',
  'trigger test.ping': 'missing required option --forward-to URL',
  'trigger response.submitted --forward-to 9 --form f': '--form requires --response',
  'trigger response.submitted --forward-to 9 --response 1': '--response requires --form',
  'trigger response.submitted --forward-to 9 --form f --data x':
    '--data cannot be combined with --form or --response',
  'trigger response.submitted --forward-to 9 --form f --response x':
    'the response id must be an integer, got "x"',
  'trigger test.ping --forward-to 9 --data @/none': 'cannot read @/none: no such file or directory',
  'trigger test.ping --forward-to 9 --header nonsense': '--header must be NAME:VALUE',

  'sync SURVEY --once': 'missing required option --to',
  'sync --to sqlite:@/x.db': 'missing form id',
  'sync SURVEY --all --to sqlite:@/x.db': '--all cannot be combined with form ids',
  'sync SURVEY --to sqlite:': '--to sqlite: requires a path',
  'sync SURVEY --to sqlite::memory:': '--to sqlite::memory: is lost when the command exits',
  'sync SURVEY --to host=127.0.0.1+password=hush': NOT_SQL,
  'sync SURVEY --to sqlite:@/r.db --interval 0s': '--interval must be greater than 0, got "0s"',
  'sync SURVEY --to responses.db': `${NOT_SQL}, got "responses.db"`,
  'sync SURVEY --to mysql://me:hush@host/db': `${NOT_SQL}, got "mysql:"`,
  'sync SURVEY --to postgres://me:hush@host/db': PASSWORD,
  'sync SURVEY --to postgres://me@host/db?password=hush': PASSWORD,
  'sync SURVEY --to sqlite:@/x.db --metrics 65536':
    '--metrics must be an integer from 0 to 65535, got "65536"',
  'sync SURVEY --to sqlite:@/x.db --metrics 0 --once': '--metrics cannot be combined with --once',
  'sync SURVEY --to sqlite:@/x.db --metrics-host 0.0.0.0': '--metrics-host requires --metrics',
  'sync SURVEY --to sqlite:@/x.db --metrics 0 --metrics-host=': '--metrics-host must not be empty',
  'sync SURVEY --to sqlite:@/x.db --deleted drop': '--deleted must be one of mark, erase, got "drop"',
  'sync --fleet @/fleet.json --all':
    '--fleet cannot be combined with --all\n  set it for all workers in the file of the fleet',
  'sync --fleet @/fleet.json --to postgres':
    '--fleet cannot be combined with --to\n  set FORMWIRE_DATABASE_URL',
  'sync --fleet @/fleet.json --once':
    '--fleet cannot be combined with --once\n  a worker runs until it is stopped',
  'sync --fleet @/fleet.json --no-deletions':
    '--fleet cannot be combined with --no-deletions\n  set it for all workers in the file of the fleet',
  'sync SURVEY --fleet @/fleet.json':
    '--fleet cannot be combined with form ids\n  set it for all workers in the file of the fleet',
  'sync status': 'missing required option --to',
  'sync status --to sqlite:@/missing.db': '@/missing.db does not exist',
  'sync status --to sqlite:@/x.db --schema eu': '--schema requires PostgreSQL',
  'sync status --to postgres --schema=': '--schema must not be empty',
  'inbox list': 'missing required option --queue',
  'inbox list --queue sqlite:@/x.db': '--queue must be postgres or a postgres:// URL',
  'inbox list --queue postgres://me:hush@db/app': PASSWORD,
  'inbox list --queue postgres --state lost':
    '--state must be one of dead, pending, active, handled, got "lost"',
  'inbox retry --queue postgres': 'missing id',
  'inbox drop --queue postgres a --all': '--all cannot be combined with ids',

  'forms list closed': `unexpected argument "closed"\n  ${NO_ARGUMENTS}`,
  'forms rename f1 New title':
    'unexpected argument "title"\n  Usage: formwire forms rename <form> <title>. Put quotation marks around a value with spaces.',
  'whoami -- me':
    'unexpected argument "me"\n  formwire whoami has no arguments. Run "formwire whoami --help" for its options.',
  'forms list --limit': `option '-L, --limit <n>' requires a value\n  Run "formwire forms list --help" for usage.`,
  'forms list --status open': '--status must be one of draft, published, closed, archived, got "open"',
  'forms list --format xml': '--format must be one of table, tsv, csv, json, ndjson, got "xml"',
  'forms list --format csv --json': '--json cannot be combined with --format csv\n  remove one of them',
  'forms rename PARTY Other --json=titel': 'unknown field "titel" in --json',
  'completion bash --json=ok': '--json has no fields here, got "ok"',
  'sync SURVEY --to sqlite:@/x.db --json=inserted': '--json has fields only with --once',
  'sync SURVEY --to sqlite:@/x.db --once --json=rows': 'unknown field "rows" in --json',
  'responses export SURVEY -o @/all.csv --json=id': '--json cannot be combined with --output @/all.csv',
  'forms rename PARTY ': 'the title must not be empty\n  a title has 1 to 200 characters',
  'forms get ': 'the form id must not be empty, "." or "..", got ""',
  'responses list ..': 'the form id must not be empty, "." or "..", got ".."',
  'listen --form=': 'the form id must not be empty, "." or "..", got ""',
  'responses list SURVEY --status draft': '--status must be one of submitted, in_progress, got "draft"',
  'responses delete SURVEY 1':
    'refusing to delete without confirmation: not on a terminal\n  pass --yes to delete without confirmation',
  'responses delete SURVEY --yes': 'missing response id',
  'responses delete SURVEY --yes --from-file @/none': 'cannot read @/none: no such file or directory',
  'responses delete SURVEY --yes --from-file @/file':
    'line 1 of @/file must begin with a response id, got "text"',
  'responses export SURVEY --limit 0': '--limit must be a positive integer, got "0"',
  'responses export SURVEY --bom --format json': '--bom is for csv, not for json\n  remove --bom',
  'responses export SURVEY --resume': '--resume requires --output FILE',
  'responses export SURVEY --resume -o @/all.ndjson --status in_progress':
    '--resume cannot be combined with --status in_progress',
  'responses export SURVEY --resume -o @/all.csv':
    '--resume continues NDJSON only, not csv\n  remove --resume, or choose a name that ends with .ndjson',
  'responses export SURVEY -o @/all.xlsx':
    'an export cannot be written as xlsx, got --output @/all.xlsx\n  choose a name that ends with .csv, which spreadsheets open',
  'responses submit SURVEY --data @/none': 'cannot read @/none: no such file or directory',
  'responses submit SURVEY --data @/file': '@/file is not valid JSON',
  'responses submit SURVEY --count 0': '--count must be a positive integer, got "0"',
  'responses submit SURVEY --count 10001': '--count must be at most 10000, got "10001"',
  'webhooks delete PARTY 2': 'refusing to delete without confirmation: not on a terminal',
  'profiles use a/b': NAME,
  'profiles remove a/b': NAME,
  'deliveries tail --since soon': `--since must be an ISO 8601 time or a span, got "soon"\n  ${SINCE}`,
  types: 'missing form id',
  'types SURVEY --format yaml': '--format must be one of ts, zod, json-schema, got "yaml"',
  'types SURVEY --sample 0': '--sample must be a positive integer, got "0"',
  'types SURVEY --check @/f.ts --out @/f.ts': '--check cannot be combined with --out',
  'types SURVEY --out @/none/f.ts': 'cannot write @/none/f.ts: the directory @/none does not exist',
  'types SURVEY --out @/directory': 'cannot write @/directory: it is not a regular file',
  'types SURVEY --check @/none.ts': 'cannot read @/none.ts: no such file or directory',
  conformance: 'missing form id',
  'conformance SURVEY --expendable-response 1':
    '--expendable-response deletes a response and requires --write',
  'conformance SURVEY --write --expendable-response 1':
    'refusing to delete without confirmation: not on a terminal',

  'seed pull --all --scrub none':
    '--scrub must be one of normal, strict, got "none"\n  to keep personal data, pass --no-scrub',
  'seed pull': 'missing form id',
  'seed pull SURVEY --all': '--all cannot be combined with form ids',
  'seed pull SURVEY --resume': '--resume requires --out FILE',
  'seed pull SURVEY --restart': '--restart requires --out FILE',
  'seed pull SURVEY --resume --restart --out @/x': '--resume cannot be combined with --restart',
  'seed pull SURVEY --no-scrub --keep a.b': '--no-scrub cannot be combined with --keep or --replace',
  'seed pull SURVEY --keep why': '--keep must name a question as FORM.QUESTION, got "why"',
  'seed pull PARTY --replace survey000001.why':
    '--replace: "survey000001.why" is of form survey000001, which is not pulled',
  'seed pull --all --keep other.why': '--keep: "other.why" is of form other, which is not pulled',
  'seed pull PARTY --shift 40000d': '--shift must be at most 100 years',
  'seed pull SURVEY --out @/none/seed.json':
    'cannot write @/none/seed.json: the directory @/none does not exist',
  'seed pull SURVEY --scrub strict --no-scrub': '--scrub cannot be combined with --no-scrub',
  'seed pull SURVEY --no-scrub --scrub strict': '--scrub cannot be combined with --no-scrub',
  'seed pull SURVEY --out @/seed.json --report @/seed.json':
    '--out and --report name the same file, @/seed.json',
  'seed pull SURVEY --out @/seed.json --key-file @/./seed.json':
    '--out and --key-file name the same file, @/./seed.json',
  'seed pull SURVEY --report @/a --key-file @/a': '--report and --key-file name the same file, @/a',
  'serve --form SURVEY': '--form requires --pull',
  'serve --limit=3 --port 0': '--limit requires --pull',
  'serve --pull --all --form SURVEY': '--all cannot be combined with --form',
  'serve --pull --base-url=': "option '--base-url <url>' requires a value",
  'serve --pull --form': "option '--form <id>' requires a value",
  'serve --pull --port 0 --forms SURVEY': "unknown option '--forms'\n  Did you mean --form?",
  'serve --pull --quack': `unknown option '--quack'\n  Options: --pull, --form, --since, --limit, --drafts, --endpoints, --scrub, --no-scrub, --keep, --replace, --key-file, --shift, --report, --observe, --port, --host, --seed, --state, --clock, --now, --address-rules, --admin-token, --allowed-host, --public-url, --unspecified, --rate-limits, --delivery-timeout-ms, --route, --json, --help, --version`,
  'serve --pull --no-wait': '--no-wait must come before serve\n  for example formwire --no-wait serve --pull',
  'serve --pull harbourfest1':
    'unexpected argument "harbourfest1"\n  to pull this form: formwire serve --pull --form harbourfest1',

  'receiver check': "missing required argument 'url'",
  'receiver check http://127.0.0.1:1/ --junit /nowhere/report.xml':
    'cannot write the report to "/nowhere/report.xml"',
  'receiver check ftp://localhost:4000':
    '<url> must be a URL, a host with a port, or a port, got "ftp://localhost:4000"\n  for example http://127.0.0.1:3000/hook, localhost:3000 or 3000',
  'receiver check http://user:hush@127.0.0.1:1/':
    'url must not contain a username or password: the service refuses such endpoints',
  'receiver check http://127.0.0.1:1/ --handled-url /handled':
    '--handled-url must be an http or https URL, got "/handled"',
  'rehearse --handled true': 'no program to rehearse',
  [`rehearse ${NODE}`]: 'nothing says what the program has handled',
  [`rehearse --handled true --handled-url /handled ${NODE}`]:
    '--handled cannot be combined with --handled-url',
  [`rehearse --webhook hooks ${NODE}`]: '--webhook must be a path that begins with /, got "hooks"',
  [`rehearse --webhook /my␣hooks ${NODE}`]:
    '--webhook must not contain spaces, control characters or backslashes, got "/my hooks"',
  [`rehearse --webhook /my\\hooks ${NODE}`]:
    '--webhook must not contain spaces, control characters or backslashes, got "/my\\hooks"',
  [`rehearse --handled-url handled ${NODE}`]: `${PATH_OR_URL}, got "handled"`,
  [`rehearse --handled-url http:// ${NODE}`]: `${PATH_OR_URL}, got "http://"`,
  [`rehearse --handled-url http://bob:hush@127.0.0.1/handled ${NODE}`]: HANDLED_URL,
  [`rehearse --handled-url ftp://bob:hush@host/ ${NODE}`]: HANDLED_URL,
  [`rehearse --handled-url bob:hush@host ${NODE}`]: HANDLED_URL,
  [`rehearse --handled-url http://@host ${NODE}`]: HANDLED_URL,
  [`rehearse --handled true --only kill,draft --without draft ${NODE}`]:
    '--only draft cannot be combined with --without draft',
  ...Object.fromEntries(
    ['--only kill', '--without kill', '--profile harsh', '--responses 5', '--seed 1'].map((option) => [
      `rehearse --handled true --schedule story.json ${option} ${NODE}`,
      `${option.split(' ')[0]} cannot be combined with --schedule`,
    ]),
  ),
  [`rehearse --only kil ${NODE}`]:
    'a kind must be one of duplicate, delay, reorder, replay, fail-before, fail-after, timeout, pause, rotate, delete, draft, burst, same-instant, api-429, api-500, api-reset, api-slow, kill, terminate, outage, got "kil"',
  [`rehearse --expect often ${NODE}`]:
    '--expect must be one of exactly-once, at-least-once, at-most-once, got "often"',
  [`rehearse --runs 0 ${NODE}`]: '--runs must be a positive integer, got "0"',
  [`rehearse --seed -1 ${NODE}`]: '--seed must be an integer from 0 to 2147483647, got "-1"',
  [`rehearse --handled true --responses 5000 ${NODE}`]:
    'responses must be an integer from 1 to 1000, got 5000.',
  [`rehearse --handled true --schedule @/story.json ${NODE}`]:
    'schedule.responses[0].at_ms must be an integer from 0 to 600000, got "soon".',

  'responses delete SURVEY --dry-run --from-file @/none': 'cannot read @/none: no such file or directory',
  'responses delete SURVEY --dry-run --from-file @/directory': 'cannot read @/directory: it is a directory',
  'responses submit SURVEY --data @/directory': 'cannot read @/directory: it is a directory',
  'responses export SURVEY -o @/none/all.csv':
    'cannot write @/none/all.csv: the directory @/none does not exist',
  'responses export SURVEY -o @/file/all.csv':
    'cannot write @/file/all.csv: a part of the path is not a directory',
  'responses export SURVEY -o @/directory': 'cannot write @/directory: it is not a regular file',
  'responses export SURVEY --resume --format ndjson -o @/directory':
    'cannot write @/directory: it is not a regular file',
  'responses export SURVEY -o @/none/': 'cannot write @/none/: it is not a regular file',
  'trigger test.ping --forward-to 9 --data @/directory': 'cannot read @/directory: it is a directory',
  'replay @/none --forward-to 9': 'cannot read @/none: no such file or directory',
  'types SURVEY --check @/directory': 'cannot read @/directory: it is a directory',
  'listen --form PARTY --record @/file/records':
    'cannot write to @/file/records: a part of the path is not a directory',
  'responses tail SURVEY --checkpoint @/file/x': `the checkpoint @/file/x/${SURVEY}.json cannot be read: a part of the path is not a directory`,
  'responses tail PARTY SURVEY --checkpoint @/directory': `the checkpoint @/directory/${SURVEY}.json is damaged or not version 1; remove it to start over`,
  'responses tail SURVEY SURVEY': `form ${SURVEY} was given twice`,
  'responses tail SURVEY --checkpoint @/file': `the checkpoint @/file/${SURVEY}.json cannot be read: a part of the path is not a directory\n  --checkpoint must be a directory`,
  'mcp --allow-writes': "unknown option '--allow-writes'\n  Did you mean --allow-write?",
}

/** Those that ask the service for forms first, and how often. */
const REQUESTS: Readonly<Record<string, number>> = {
  'conformance SURVEY --write --expendable-response 1': 1,
  'responses export SURVEY -o @/file/all.csv': 1,
  'seed pull --all --keep other.why': 2,
}

it.each(Object.entries(REFUSED))('%s: exit 2', async (line, message) => {
  const argv = line
    .split(' ')
    .map((word) => ({ SURVEY, PARTY })[word] ?? word.replace('@/', `${folder}/`).replace('␣', ' '))
  const env = { ...service.env, FORMWIRE_WEBHOOK_SECRET: 'whsec_test', PATH: process.env.PATH }
  const requests = () => service.server.app.requests.list().length
  const before = requests()
  const { code, stdout, stderr } = await runCli(argv, { env })
  const { error } = line.includes('--json') ? JSON.parse(stderr) : {}
  const text = error ? `formwire: ${error.message}\n  ${error.hint}` : stderr
  const lines = text.replaceAll(folder, '@').split('\n').slice(0, message.split('\n').length)
  expect([code, stdout, lines.join('\n')]).toEqual([2, '', `formwire: ${message}`])
  expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3)
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('text')
  expect(stderr).not.toMatch(/hush|\bE[A-Z]{4,}\b/)
  expect(readdirSync(folder)).toEqual(['directory', 'file', 'fleet.json', 'story.json'])
  expect(requests() - before).toBe(REQUESTS[line] ?? 0)
})
