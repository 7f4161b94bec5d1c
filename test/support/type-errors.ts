import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** What the compiler says of a file. */
export interface CompilerError {
  /** Path below the directory of the project. */
  file: string
  line: number
  code: number
  /** Without the explanations below its first line. */
  message: string
}

/** Writes files and a `tsconfig.json` that lists them into a directory. */
export function writeProject(
  directory: string,
  compilerOptions: object,
  files: Readonly<Record<string, string>>,
): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: Object.keys(files) }),
  )
}

/**
 * Type-checks a project with TypeScript 7, a native program that takes a quarter of the time of the compiler in JavaScript.
 *
 * @throws Error if the compiler does not understand the project, or prints something else than errors in files
 */
export async function typeErrors(directory: string): Promise<CompilerError[]> {
  const program = join(dirname(require.resolve('typescript-7/package.json')), 'bin', 'tsc')
  const child = spawn(process.execPath, [program, '--project', directory, '--pretty', 'false'], {
    cwd: directory,
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const output = Buffer.concat(chunks).toString()
  // Explanations are indented.
  const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith(' '))
  const errors = lines.map((line) => {
    const [, file, row, number, message] = /^(.+)\((\d+),\d+\): error TS(\d+): (.*)$/.exec(line) ?? []
    if (file === undefined || message === undefined) throw new Error(`The compiler printed: ${output}`)
    return { file, line: Number(row), code: Number(number), message }
  })
  if (errors.length === 0 && code !== 0)
    throw new Error(`The compiler ended with ${code} and printed nothing.`)
  return errors
}
