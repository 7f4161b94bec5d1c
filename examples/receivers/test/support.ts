import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const SECRET = 'whsec_test_of_the_receivers'
const root = fileURLToPath(new URL('../../../', import.meta.url))
export const VECTORS = join(root, 'packages/contract/vectors/webhooks.json')
/** Kept between runs, since Go compiles its standard library into it. */
const goEnv = { GOCACHE: join(root, 'node_modules/.cache/go-build'), GOFLAGS: '', GOPROXY: 'off' }

/** One of the receivers. */
interface Language {
  name: string
  /** Tells whether the interpreter or compiler is installed. */
  probe: readonly string[]
  vectors: readonly string[]
  /** Run once before the receiver starts. */
  build?: (folder: string) => readonly string[]
  serve: (folder: string, port: number) => readonly string[]
  /** Path of the inbox in its folder. */
  inbox: string
}

export const LANGUAGES: readonly Language[] = [
  {
    name: 'python',
    probe: ['python3', '--version'],
    vectors: ['python3', 'vectors.py', VECTORS],
    serve: () => ['python3', 'receiver.py'],
    inbox: 'inbox.db',
  },
  {
    name: 'ruby',
    probe: ['ruby', '--version'],
    vectors: ['ruby', 'vectors.rb', VECTORS],
    serve: () => ['ruby', 'serve.rb'],
    inbox: '.',
  },
  {
    name: 'php',
    probe: ['php', '--version'],
    vectors: ['php', 'vectors.php', VECTORS],
    serve: (_folder, port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
    inbox: '.',
  },
  {
    name: 'go',
    probe: ['go', 'version'],
    vectors: ['go', 'test', '-count=1', '.'],
    build: (folder) => ['go', 'build', '-o', join(folder, 'receiver'), '.'],
    serve: (folder) => [join(folder, 'receiver')],
    inbox: '.',
  },
]

export const isInstalled = ({ probe: [command = '', ...args] }: Language): boolean =>
  spawnSync(command, args).status === 0

const directoryOf = ({ name }: Language): string => join(root, 'examples/receivers', name)

/** Runs a command in the folder of the receiver. */
export async function run(
  language: Language,
  [command = '', ...args]: readonly string[],
): Promise<{ code: number; output: string }> {
  const child = spawn(command, args, { cwd: directoryOf(language), env: environment({ VECTORS }) })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  return { code, output }
}

/** A folder for the inbox of a receiver, and its program if that has to be built. */
export interface Workspace {
  folder: string
  remove(): void
}

export function createWorkspace(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'formwire-receiver-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Starts the receiver and waits until it accepts connections. */
export async function start(
  language: Language,
  folder: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const [command = '', ...args] = language.serve(folder, port)
  const child = spawn(command, args, {
    cwd: directoryOf(language),
    env: environment({
      FORMWIRE_WEBHOOK_SECRET: SECRET,
      PORT: String(port),
      INBOX: join(folder, language.inbox),
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // The first line, of PHP on stderr, says that the receiver listens.
  await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended(child)])
  child.stdout.resume()
  child.stderr.resume()
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    },
  }
}

async function ended(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'close')
  throw new Error(`the receiver ended with ${code}`)
}

function environment(own: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...goEnv, ...own }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
