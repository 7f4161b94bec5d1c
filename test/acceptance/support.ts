/** Black-box tests: they start the binaries like a user and check their documented behaviour, without using internals. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { inject } from 'vitest'
import type { Program } from '../support/built-programs.ts'
import { type Finished, type Spawned, start } from '../support/spawn.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** Returns the path of the binary of a package. */
export const binaryOf = (name: Program): string => inject('programs')[name]

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

  constructor(child: ChildProcess, first: FirstLine) {
    this.child = child
    this.first = first
  }

  static async start(...flags: string[]): Promise<ServerProcess> {
    const { child, firstLine } = start(
      [binaryOf('reference-server'), '--port', '0', '--json', ...flags],
      process.env,
      '',
    )
    return new ServerProcess(child, JSON.parse(await firstLine))
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

/** Not a folder that cannot exist: as root the CLI would create it. */
const home = temporaryDirectory()

/** Starts `formwire` with only the given environment. */
export const startCli = (argv: readonly string[], env: Record<string, string> = {}, stdin = ''): Spawned =>
  start([binaryOf('cli'), ...argv], { NODE_ENV: 'test', HOME: home, ...env }, stdin)

/** Runs `formwire` with only the given environment. */
export const cli = (
  argv: readonly string[],
  env?: Record<string, string>,
  stdin?: string,
): Promise<Finished> => startCli(argv, env, stdin).finished
