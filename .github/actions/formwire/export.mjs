/** Masks the keys of the first line in the job's log, and writes outputs and environment variables for later steps. */
import { appendFileSync, readFileSync } from 'node:fs'

const [file, pid] = process.argv.slice(2)
const line = JSON.parse(readFileSync(file, 'utf8').split('\n')[0])

const outputs = {
  url: line.url,
  'write-key': line.write_key,
  'read-key': line.read_key,
  'admin-token': line.admin_token,
  pid,
}
const variables = {
  FORMWIRE_BASE_URL: line.url,
  FORMWIRE_API_KEY: line.write_key,
  FORMWIRE_READ_KEY: line.read_key,
  FORMWIRE_ADMIN_TOKEN: line.admin_token,
}

for (const secret of [line.write_key, line.read_key, line.admin_token]) console.log(`::add-mask::${secret}`)

const append = (target, values) => {
  const text = Object.entries(values).map(([name, value]) => `${name}=${value}\n`)
  appendFileSync(process.env[target], text.join(''))
}
append('GITHUB_OUTPUT', outputs)
append('GITHUB_ENV', variables)
console.log(`Formwire listens on ${line.url}`)
