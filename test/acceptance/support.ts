/**
 * The black-box side of the house: these tests start the binaries as users do and hold them against the contract,
 * knowing nothing of the inside. `FORMWIRE_ENTRY=dist` runs the built entries instead of the sources.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const built = process.env.FORMWIRE_ENTRY === 'dist'
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** Arguments of `node` that run the binary of a package. */
export function binaryOf(name: 'reference-server' | 'cli'): string[] {
  const at = (path: string) => fileURLToPath(new URL(`../../packages/${name}/${path}`, import.meta.url))
  return built ? [at('dist/bin.js')] : ['--conditions=@formwire/source', '--import', tsx, at('src/bin.ts')]
}

export interface FirstLine {
  event: 'listening'
  url: string
  admin_token: string
  write_key: string
  read_key: string
  workspace_id: number
  user_id: number
}

export interface Answer<Body = Json> {
  status: number
  headers: Headers
  text: string
  body: Body
}

// biome-ignore lint/suspicious/noExplicitAny: a black box answers what it answers; the tests state what they expect
export type Json = any

/** A reference server in a process of its own, and short ways to speak to it. */
export class ServerProcess {
  readonly first: FirstLine
  readonly child: ChildProcess
  stderr = ''

  constructor(child: ChildProcess, first: FirstLine) {
    this.child = child
    this.first = first
  }

  static async start(...flags: string[]): Promise<ServerProcess> {
    const child = spawn(
      process.execPath,
      [...binaryOf('reference-server'), '--port', '0', '--json', ...flags],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    let stdout = ''
    for await (const chunk of child.stdout) {
      stdout += chunk
      if (stdout.includes('\n')) break
    }
    if (!stdout.includes('\n')) throw new Error(`the server ended before its first line: ${stderr}`)
    child.stdout.resume()
    return new ServerProcess(child, JSON.parse(stdout.slice(0, stdout.indexOf('\n'))))
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode
    this.child.kill(signal)
    const [code] = (await once(this.child, 'exit')) as [number | null]
    return code
  }

  /** A request with exactly the headers given. */
  async raw(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<Answer> {
    const response = await fetch(this.first.url + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    const json = (response.headers.get('content-type') ?? '').includes('json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: json && text ? JSON.parse(text) : undefined,
    }
  }

  /** As the write key (or another one) under `/api/v1`. */
  api(method: string, path: string, body?: unknown, key = this.first.write_key): Promise<Answer> {
    return this.json(method, `/api/v1${path}`, key, body)
  }

  /** As a person in the app. */
  app(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.json(method, `/_app${path}`, this.first.admin_token, body)
  }

  /** Somebody with the public link. */
  respondent(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.raw(
      method,
      path,
      { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body === undefined ? undefined : JSON.stringify(body),
    )
  }

  private json(method: string, path: string, token: string, body: unknown): Promise<Answer> {
    return this.raw(
      method,
      path,
      {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body === undefined ? undefined : JSON.stringify(body),
    )
  }

  /** A published form with the given questions. */
  async publishedForm(questions: unknown[], rest: Record<string, unknown> = {}): Promise<Json> {
    const made = await this.app('POST', '/forms', { title: 'Acceptance', questions, ...rest })
    if (made.status >= 300) throw new Error(`POST /_app/forms: ${made.status} ${made.text}`)
    const published = await this.app('POST', `/forms/${made.body.data.id}/publish`)
    if (published.status >= 300) throw new Error(`publish: ${published.status} ${published.text}`)
    return (await this.api('GET', `/forms/${made.body.data.id}`)).body.data
  }
}

export interface CliRun {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs `formwire` with nothing in its environment but what is given. */
export async function cli(argv: string[], env: Record<string, string> = {}, stdin = ''): Promise<CliRun> {
  const child = spawn(process.execPath, [...binaryOf('cli'), ...argv], {
    env: { NODE_ENV: 'test', PATH: process.env.PATH, HOME: '/nonexistent', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  child.stdin.end(stdin)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}
