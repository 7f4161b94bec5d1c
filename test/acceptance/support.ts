/**
 * Black-box tests: they start the binaries like a user and check their documented behaviour, without using internals.
 * `FORMWIRE_ENTRY=dist` runs what `pnpm build` wrote, instead of a build of the sources as they are.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import type { Program } from '../support/built-programs.ts'

/** Returns the path of the binary of a package. */
export const binaryOf = (name: Program): string =>
  process.env.FORMWIRE_ENTRY === 'dist'
    ? fileURLToPath(new URL(`../../packages/${name}/dist/bin.js`, import.meta.url))
    : inject('programs')[name]

export interface FirstLine {
  event: 'listening'
  url: string
  admin_token: string
  write_key: string
  read_key: string
  workspace_id: number
  user_id: number
}

export interface ApiResponse<Body = Json> {
  status: number
  headers: Headers
  text: string
  body: Body
}

// biome-ignore lint/suspicious/noExplicitAny: the tests compare it with literals
export type Json = any

/** A reference server in a child process, and helpers to send requests to it. */
export class ServerProcess {
  readonly first: FirstLine
  readonly child: ChildProcess
  stderr = ''

  constructor(child: ChildProcess, first: FirstLine) {
    this.child = child
    this.first = first
  }

  static async start(...flags: string[]): Promise<ServerProcess> {
    const child = spawn(process.execPath, [binaryOf('reference-server'), '--port', '0', '--json', ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    let stdout = ''
    for await (const chunk of child.stdout) {
      stdout += chunk
      if (stdout.includes('\n')) break
    }
    if (!stdout.includes('\n')) throw new Error(`the server exited before its first line: ${stderr}`)
    child.stdout.resume()
    return new ServerProcess(child, JSON.parse(stdout.slice(0, stdout.indexOf('\n'))))
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode
    this.child.kill(signal)
    const [code] = (await once(this.child, 'exit')) as [number | null]
    return code
  }

  /** Sends a request with exactly these headers. */
  async raw(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<ApiResponse> {
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

  /** Sends a request below `/api/v1`, by default with the write key. */
  api(method: string, path: string, body?: unknown, key = this.first.write_key): Promise<ApiResponse> {
    return this.json(method, `/api/v1${path}`, key, body)
  }

  /** Sends a request to the control API. */
  app(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    return this.json(method, `/_app${path}`, this.first.admin_token, body)
  }

  /** Sends a request to the public link, without credentials. */
  respondent(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    return this.raw(
      method,
      path,
      { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body === undefined ? undefined : JSON.stringify(body),
    )
  }

  private json(method: string, path: string, token: string, body: unknown): Promise<ApiResponse> {
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

  /** Creates and publishes a form. */
  async publishedForm(questions: unknown[], rest: Record<string, unknown> = {}): Promise<Json> {
    const created = await this.app('POST', '/forms', { title: 'Acceptance', questions, ...rest })
    if (created.status >= 300) throw new Error(`POST /_app/forms: ${created.status} ${created.text}`)
    const published = await this.app('POST', `/forms/${created.body.data.id}/publish`)
    if (published.status >= 300) throw new Error(`publish: ${published.status} ${published.text}`)
    return (await this.api('GET', `/forms/${created.body.data.id}`)).body.data
  }
}

export interface CliRun {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs `formwire` with only the given environment. */
export async function cli(argv: string[], env: Record<string, string> = {}, stdin = ''): Promise<CliRun> {
  const child = spawn(process.execPath, [binaryOf('cli'), ...argv], {
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
