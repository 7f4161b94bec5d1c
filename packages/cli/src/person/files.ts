import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ResponseIds } from '@formwire/sync'
import type { Context } from '../context.ts'
import { Failure, fileFailure } from '../failure.ts'
import { countOf } from '../output/progress.ts'
import { prepareOutput } from '../types/output-file.ts'
import { BY_ID, searchContent } from './file-content.ts'
import type { Found, Place } from './place.ts'

/** V8 has no text of more than 512 MiB, and a text takes two bytes per character. */
const MAX_BYTES = 256 * 1024 * 1024

/** Files that commands have written, and folders of them. */
export function filesPlace(
  { runtime, output }: Pick<Context, 'runtime' | 'output'>,
  paths: readonly string[],
  email: string,
): Place {
  const mentioning = new Set<string>()
  let known: readonly ResponseIds[] = []
  const search = async (add: (found: Found) => void): Promise<void> => {
    const problems: unknown[] = []
    const files = await filesIn(paths, problems)
    for (const [index, file] of files.entries()) {
      runtime.stop.throwIfAborted()
      output.progress(`searching: ${countOf(index + 1, 'file')}`)
      try {
        const { found, mentions } = searchContent(await readText(file), email, known)
        for (const one of found) add({ ...one, file })
        if (mentions) mentioning.add(file)
        else mentioning.delete(file)
      } catch (error) {
        problems.push(error)
      }
    }
    if (problems.length > 0) throw problems[0]
  }
  return {
    name: 'recordings',
    noun: 'record',
    search,
    async searchIds(responses, add) {
      known = responses
      await search((one) => one.columns === BY_ID && add(one))
    },
    async erase(found, done) {
      const problems: unknown[] = []
      for (const file of new Set(found.map((one) => String(one.file)))) {
        runtime.stop.throwIfAborted()
        try {
          const { found: now, rest } = searchContent(await readText(file), email, known)
          if (now.length === 0) continue
          if (rest === undefined) await rm(file)
          else await (await prepareOutput(file, runtime.randomId)).write(rest)
          done(now.length)
        } catch (error) {
          problems.push(error)
        }
      }
      if (problems.length > 0) throw problems[0]
    },
    remaining: () => [...mentioning].map((file) => `${file} has the address in another place, which stays`),
  }
}

/** Returns the files, those in folders below included. Links are not followed. */
async function filesIn(paths: readonly string[], problems: unknown[]): Promise<string[]> {
  const files: string[] = []
  for (const path of paths) {
    try {
      if (!(await stat(path)).isDirectory()) {
        files.push(path)
        continue
      }
      const entries = await readdir(path, { recursive: true, withFileTypes: true })
      files.push(
        ...entries
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .sort(),
      )
    } catch (error) {
      problems.push(fileFailure(`read ${path}`, error))
    }
  }
  return files
}

async function readText(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > MAX_BYTES)
      throw new Failure(`${file} exceeds ${MAX_BYTES} bytes; split it, or erase the person by hand`, {
        exitCode: 1,
        code: 'failed',
      })
    return await readFile(file, 'utf8')
  } catch (error) {
    throw error instanceof Failure ? error : fileFailure(`read ${file}`, error)
  }
}
