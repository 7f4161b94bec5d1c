/** Runs docs/how-to/warehouse.md: the program is saved and run as on the page, against rows that the command line has copied. */

import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import { startPostgres } from '../../packages/sync/test/support/postgres-server.ts'
import { blocksOf } from '../../scripts/docs/markdown.ts'
import { read } from '../../scripts/project/project.ts'
import { TUTORIAL_MS } from '../../scripts/tutorials/run.ts'
import { stepsOf } from '../../scripts/tutorials/steps.ts'
import { runFromSources } from './tutorial.ts'

const page = read('docs/how-to/warehouse.md')
const steps = page.replace(/^```sql\n[\s\S]*?^```\n/gm, '')

const START = `
\`\`\`sh
npm init --yes
npm install --save-dev @formwire/cli
node_modules/.bin/formwire serve --port 0 --json > server.json &
server=$!
until [ -s server.json ]; do sleep 0.1; done
export FORMWIRE_BASE_URL=$(node -p "require('./server.json').url")
export FORMWIRE_API_KEY=$(node -p "require('./server.json').write_key")
\`\`\`
`

/** Prints whether the Parquet file has the live rows of the source, and how many rows of the warehouse are marked as deleted. */
const COMPARE = `
Save this as \`compare.mjs\`:

\`\`\`js
import assert from 'node:assert/strict'
import { DuckDBInstance } from '@duckdb/node-api'
import { postgresStore } from '@formwire/sync/postgres'
import { sqliteStore } from '@formwire/sync/sqlite'

const store = process.argv[2] === 'postgres' ? postgresStore() : sqliteStore(process.argv[2])
const duckdb = await (await DuckDBInstance.create('warehouse.duckdb')).connect()
const all = async (sql) => (await duckdb.runAndReadAll(sql)).getRowObjectsJson()
const copied = await all("SELECT form_id, id, email, score, epoch_ms(submitted_at) AS ms, answers FROM 'responses.parquet' ORDER BY form_id, id")
const rows = await store.read(
  "SELECT form_id, id, email, score, submitted_at, answers FROM formwire_responses WHERE deleted_at IS NULL AND status <> 'in_progress' ORDER BY form_id, id",
)
const parsed = (json) => (typeof json === 'string' ? JSON.parse(json) : json)
assert.deepEqual(
  copied.map(({ ms, answers, ...row }) => ({ ...row, id: Number(row.id), ms: Number(ms), answers: parsed(answers) })),
  rows.map(({ submitted_at, answers, ...row }) => ({ ...row, id: Number(row.id), ms: Date.parse(submitted_at), answers: parsed(answers) })),
)
const [{ deleted }] = await all('SELECT count(*) AS deleted FROM responses WHERE deleted_at IS NOT NULL')
console.log(\`equal: \${rows.length > 100}, \${deleted} deleted\`)
await store.close()
\`\`\`
`

/** Prints how many responses DuckDB finds in what the command line exports without a database. */
const EXPORT = `
Save this as \`exported.mjs\`:

\`\`\`js
import { DuckDBInstance } from '@duckdb/node-api'

const duckdb = await (await DuckDBInstance.create()).connect()
const result = await duckdb.runAndReadAll("SELECT count(id) AS responses FROM read_json('responses.ndjson')")
console.log(result.getRowObjectsJson())
\`\`\`

\`\`\`sh
npx formwire responses export guestvoice01 --output responses.ndjson
node exported.mjs
\`\`\`

\`\`\`text
…
[ { responses: '260' } ]
\`\`\`
`

/** Changes one row as a transaction does that commits later than rows with a later \`synced_at\`. */
const LATE = `
Save this as \`late.mjs\`:

\`\`\`js
import { postgresStore } from '@formwire/sync/postgres'
import { sqliteStore } from '@formwire/sync/sqlite'

const store = process.argv[2] === 'postgres' ? postgresStore() : sqliteStore(process.argv[2])
const before = (minutes) => new Date(Date.now() - minutes * 60_000).toISOString()
if (process.argv[3] === 'old') await store.read('UPDATE formwire_responses SET synced_at = ?', [before(120)])
else
  await store.read('UPDATE formwire_responses SET email = ?, synced_at = ? WHERE id = (SELECT min(id) FROM formwire_responses)', [
    'late@example.com',
    before(30),
  ])
await store.close()
\`\`\`
`

/** Loads what has changed since a first load: nothing, a deletion, a row that was committed late. \`to\` is the value of --to, \`source\` the argument of the programs. */
const scenario = (to: string, source: string): string => `
\`\`\`sh
node late.mjs ${source} old
node warehouse.mjs ${source}
node compare.mjs ${source}
\`\`\`

\`\`\`text
0 rows read, … responses in responses.parquet
equal: true, 0 deleted
\`\`\`

\`\`\`sh
newest=$(npx formwire responses list guestvoice01 --limit 1 | cut -f1)
npx formwire responses delete guestvoice01 "$newest" --yes
npx formwire sync --all --to ${to} --once
node warehouse.mjs ${source}
node compare.mjs ${source}
\`\`\`

\`\`\`text
…
1 rows read, … responses in responses.parquet
equal: true, 1 deleted
\`\`\`

\`\`\`sh
node late.mjs ${source}
node warehouse.mjs ${source}
node compare.mjs ${source}
\`\`\`

\`\`\`text
2 rows read, … responses in responses.parquet
equal: true, 1 deleted
\`\`\`
`

const STOP = `
\`\`\`sh
kill "$server"
\`\`\`
`

async function follow(markdown: string): Promise<void> {
  for (const { commands, expected, printed } of await runFromSources(stepsOf(markdown)))
    expect(printed, commands).toMatch(expected)
}

describe('warehouse.md', () => {
  it(
    'copies a SQLite file, and a PostgreSQL database, into Parquet, and later what has changed: deletions, and a row that was committed late',
    async () => {
      const server = await startPostgres()
      try {
        const commands = `
\`\`\`sh
npm install pg
export FORMWIRE_DATABASE_URL='${server.url}'
npx formwire sync --all --to postgres --once
rm warehouse.duckdb
node warehouse.mjs postgres
\`\`\`
`
        const programs = START + steps + EXPORT + COMPARE + LATE
        const scenarios = [
          scenario('sqlite:responses.db', 'responses.db'),
          commands,
          scenario('postgres', 'postgres'),
        ]
        await follow([programs, ...scenarios, STOP].join(''))
      } finally {
        await server.stop()
      }
    },
    2 * TUTORIAL_MS + 60_000,
  )

  it('has a query that finds the mean of each question about numbers', async () => {
    const [query = ''] = blocksOf(page).flatMap(({ code }) => (code.includes('avg(') ? code : []))
    const duckdb = await (await DuckDBInstance.create()).connect()
    const answers = JSON.stringify([
      { question_id: 'q1', type: 'nps', value: 9, text: '9' },
      { question_id: 'q2', type: 'short_text', value: 'x', text: 'x' },
    ])
    await duckdb.run('CREATE TABLE parquet (form_id VARCHAR, answers VARCHAR)')
    await duckdb.run("INSERT INTO parquet VALUES ('f', $1), ('f', $2), ('f', '[]')", [
      answers,
      answers.replace('9', '6'),
    ])
    const result = await duckdb.runAndReadAll(query.replace("'responses.parquet'", 'parquet'))
    expect(result.getRowObjectsJson()).toEqual([{ form_id: 'f', question: 'q1', mean: 7.5 }])
    duckdb.closeSync()
  })
})
