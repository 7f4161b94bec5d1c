import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../../scripts/project/project.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { GO_ENV, goProgram } from '../../../test/support/go.ts'
import { WAIT_MS } from '../../../test/support/patience.ts'
import { type Spawned, startProgram } from '../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'

export const SECRET = 'whsec_test_of_the_receivers'
const VECTORS = join(root, 'packages/contract/vectors/webhooks.json')

/** One of the receivers. */
interface Language {
  name: string
  vectors: readonly string[]
  serve: (port: number) => readonly string[]
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
    vectors: ['python3', 'vectors.py', VECTORS],
    serve: () => ['python3', 'receiver.py'],
    inbox: 'inbox.db',
    closesStalled: true,
    counts: true,
  },
  {
    name: 'ruby',
    vectors: ['ruby', 'vectors.rb', VECTORS],
    serve: () => ['ruby', 'receiver.rb'],
    inbox: '.',
    closesStalled: true,
    counts: true,
  },
  {
    name: 'php',
    vectors: ['php', 'vectors.php', VECTORS],
    serve: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
    inbox: '.',
    // The server that comes with PHP is for development; a web server in front closes them.
    closesStalled: false,
    counts: true,
  },
  {
    name: 'go',
    vectors: ['go', 'test', '-count=1', '.'],
    serve: () => [goProgram('receivers/go')],
    inbox: '.',
    closesStalled: true,
    counts: false,
  },
]

/** Starts a command in the folder of the receiver. */
const startIn = (
  { name }: Language,
  command: readonly string[],
  own: Readonly<Record<string, string>>,
): Spawned =>
  startProgram(
    'sh',
    ['-c', 'cd "$0" && exec "$@"', join(root, 'examples/receivers', name), ...command],
    { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...GO_ENV, ...own },
    '',
  )

/** Checks the test vectors. */
export async function runVectors(language: Language): Promise<{ code: number | null; output: string }> {
  const { code, stdout, stderr } = await startIn(language, language.vectors, { VECTORS }).finished
  return { code, output: stdout + stderr }
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
export async function start(language: Language): Promise<Started> {
  const port = await freePort()
  const folder = temporaryDirectory()
  const receiver = startIn(language, language.serve(port), {
    FORMWIRE_WEBHOOK_SECRET: SECRET,
    PORT: String(port),
    INBOX: join(folder, language.inbox),
  })
  const { child } = receiver
  for (const until = Date.now() + WAIT_MS; !(await accepts(port)); await sleep(20)) {
    if (child.exitCode !== null)
      throw new Error(`the receiver ended with ${child.exitCode}: ${receiver.stderr}`)
    if (Date.now() > until) throw new Error(`the receiver accepts no connections: ${receiver.stderr}`)
  }
  const origin = `http://127.0.0.1:${port}`
  return {
    url: `${origin}/webhooks`,
    handled: async () =>
      language.counts
        ? Number(await (await fetch(`${origin}/handled`)).text())
        : readdirSync(folder).filter((name) => name.endsWith('.json')).length,
    sendRaw: (text) => sendRaw(port, text),
    log: () => receiver.stderr,
    stop: async () => {
      child.kill('SIGKILL')
      await receiver.finished
    },
  }
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
