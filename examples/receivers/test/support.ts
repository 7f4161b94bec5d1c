import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../test/support/free-port.ts'
import { WAIT_MS } from '../../../test/support/patience.ts'

export const SECRET = 'whsec_test_of_the_receivers'
const root = fileURLToPath(new URL('../../../', import.meta.url))
const VECTORS = join(root, 'packages/contract/vectors/webhooks.json')
/** Kept between runs, since Go compiles its standard library into it. */
const goEnv = { GOCACHE: join(root, 'node_modules/.cache/go-build'), GOFLAGS: '', GOPROXY: 'off' }

/** One of the receivers. */
interface Language {
  name: string
  /** The interpreter or compiler. */
  program: string
  vectors: readonly string[]
  /** Run once before the receiver starts. */
  build?: (folder: string) => readonly string[]
  serve: (folder: string, port: number) => readonly string[]
  /** Path of the inbox in its folder. */
  inbox: string
  /** Whether it closes a connection on which nothing arrives for ten seconds. */
  closesStalled: boolean
  /** Whether `GET /handled` responds with the number of stored responses; else the inbox is a folder with a file for each. */
  counts: boolean
}

export const LANGUAGES: readonly Language[] = [
  {
    name: 'python',
    program: 'python3',
    vectors: ['python3', 'vectors.py', VECTORS],
    serve: () => ['python3', 'receiver.py'],
    inbox: 'inbox.db',
    closesStalled: true,
    counts: true,
  },
  {
    name: 'ruby',
    program: 'ruby',
    vectors: ['ruby', 'vectors.rb', VECTORS],
    serve: () => ['ruby', 'receiver.rb'],
    inbox: '.',
    closesStalled: true,
    counts: true,
  },
  {
    name: 'php',
    program: 'php',
    vectors: ['php', 'vectors.php', VECTORS],
    serve: (_folder, port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
    inbox: '.',
    // The server that comes with PHP is for development; a web server in front closes them.
    closesStalled: false,
    counts: true,
  },
  {
    name: 'go',
    program: 'go',
    vectors: ['go', 'test', '-count=1', '.'],
    build: (folder) => ['go', 'build', '-o', join(folder, 'receiver'), '.'],
    serve: (folder) => [join(folder, 'receiver')],
    inbox: '.',
    closesStalled: true,
    counts: false,
  },
]

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

/** A receiver that accepts connections. */
export interface Started {
  /** Where deliveries go. */
  url: string
  /** The number of stored responses. */
  handled(): Promise<number>
  /** Sends text on a connection of its own, and returns what was received until the other side closed it. */
  sendRaw(text: string): Promise<string>
  /** What it has printed to stderr. */
  log(): string
  stop(): Promise<void>
}

/** Starts the receiver and waits until it accepts connections. */
export async function start(language: Language, folder: string): Promise<Started> {
  const port = await freePort()
  const [command = '', ...args] = language.serve(folder, port)
  const child = spawn(command, args, {
    cwd: directoryOf(language),
    env: environment({
      FORMWIRE_WEBHOOK_SECRET: SECRET,
      PORT: String(port),
      INBOX: join(folder, language.inbox),
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (text) => (log += text))
  const closed = once(child, 'close')
  for (const until = Date.now() + WAIT_MS; !(await accepts(port)); await sleep(20)) {
    if (child.exitCode !== null) throw new Error(`the receiver ended with ${child.exitCode}: ${log}`)
    if (Date.now() > until) throw new Error(`the receiver accepts no connections: ${log}`)
  }
  const origin = `http://127.0.0.1:${port}`
  return {
    url: `${origin}/webhooks`,
    handled: async () =>
      language.counts
        ? Number(await (await fetch(`${origin}/handled`)).text())
        : readdirSync(folder).filter((name) => name.endsWith('.json')).length,
    sendRaw: (text) => sendRaw(port, text),
    log: () => log,
    stop: async () => {
      child.kill('SIGKILL')
      await closed
    },
  }
}

function environment(own: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...goEnv, ...own }
}

async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => (received += chunk))
  // A reset closes the connection, too.
  socket.on('error', () => undefined)
  socket.setTimeout(WAIT_MS, () => {
    received += '(the connection stayed open)'
    socket.destroy()
  })
  const closed = once(socket, 'close')
  if (text === '') socket.end()
  else socket.write(text)
  await closed
  return received
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
