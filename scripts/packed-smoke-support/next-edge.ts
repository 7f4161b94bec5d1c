import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Tarballs } from '../project/tarballs.ts'
import { installProject } from './projects.ts'
import { run } from './run.ts'

/** Builds and runs a route for the Edge runtime of Next, whose `process` has functions that only throw. */
export async function runNextEdge(work: string, tarballs: Tarballs): Promise<void> {
  const project = {
    name: 'next',
    packages: ['contract', 'sdk', 'webhook-verify'],
    others: { next: '^16', react: '^19', 'react-dom': '^19' },
  }
  const folder = join(await installProject(work, project, tarballs), 'next-edge')
  const next = join(folder, '..', 'node_modules/next/dist/bin/next')
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  await run(process.execPath, [next, 'build'], folder)
  const server = spawn(process.execPath, [next, 'start', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(server, 'exit')
  try {
    for await (const line of createInterface(server.stdout)) {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
      if (url === undefined) continue
      const response = await fetch(`${url}/webhook`)
      assert.deepEqual(await response.json(), { status: 200, handled: 1, name: 'Ada' })
      return
    }
    throw new Error('next start ended without a URL')
  } finally {
    server.kill()
    await exited
  }
}
