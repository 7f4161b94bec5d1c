import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createReceiver } from '@formwire/webhook-verify/node'

const config = () => JSON.parse(readFileSync('config.json', 'utf8'))

/** Writes the file whole, or not at all. */
function save({ response }) {
  const file = join(process.env.DATA ?? '.', `${response.id}.json`)
  writeFileSync(`${file}.new`, JSON.stringify(response))
  renameSync(`${file}.new`, file)
}

const verifying = createReceiver({ secret: () => config().secret, on: { 'response.submitted': save } })

createServer(async (request, response) => {
  if (config().verify) return verifying(request, response)
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  save(JSON.parse(Buffer.concat(chunks).toString()))
  response.end()
}).listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
