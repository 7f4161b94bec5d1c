import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { CHROMIUM, CHROMIUM_FLAGS } from '../../test/support/chromium.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
}
/** Far longer than the page needs on the slowest machine. */
const DEADLINE_MS = 600_000

/** Runs the packed webhook-verify, unbundled, in headless Chromium. The page posts its result. */
export async function runInBrowser(app: string, profile: string): Promise<void> {
  let report: (result: string) => void = () => {}
  const reported = new Promise<string>((resolve) => {
    report = resolve
  })
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      report(await textOf(request))
      response.end()
      return
    }
    // Only files of the app: normalize() removes every ".." from an absolute path.
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname)
    try {
      const file = readFileSync(join(app, path))
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(file)
    } catch {
      response.writeHead(404).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook-browser.html`
  const browser = spawn(CHROMIUM, ['--headless', ...CHROMIUM_FLAGS, `--user-data-dir=${profile}`, page], {
    stdio: 'ignore',
    // A group of its own: Debian starts Chromium from a script, which would end alone.
    detached: true,
  })
  const exited = once(browser, 'exit')
  const timer = setTimeout(() => report(`no result within ${DEADLINE_MS} ms`), DEADLINE_MS)
  browser.once('error', (error) => report(String(error)))
  try {
    const result = await reported
    if (result !== 'passed') throw new Error(`Chromium: ${result}`)
  } finally {
    clearTimeout(timer)
    server.close()
    server.closeAllConnections()
    if (browser.pid !== undefined && browser.exitCode === null) {
      process.kill(-browser.pid, 'SIGKILL')
      await exited
    }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
