import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { ALLOWED, FILES, REFUSED } from './words/refused.ts'

/** Fails when a text uses a word that docs/glossary.md replaces with another one. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => FILES.test(path) && !ALLOWED.some(({ file, word }) => !word && file.test(path)))

let found = 0
for (const file of files) {
  const lines = readFileSync(file, 'utf8').split('\n')
  lines.forEach((line, index) => {
    for (const { pattern, use } of REFUSED) {
      for (const [word] of line.matchAll(pattern)) {
        if (ALLOWED.some((allowed) => allowed.word?.test(word) && allowed.file.test(file))) continue
        found += 1
        console.error(`${file}:${index + 1}: "${word}": ${use}`)
      }
    }
  })
}
if (found > 0) {
  console.error(
    `\n${found} ${found === 1 ? 'word' : 'words'} to replace; scripts/words/refused.ts has the list.`,
  )
  process.exitCode = 1
} else {
  console.log(`No refused word in ${files.length} files.`)
}
