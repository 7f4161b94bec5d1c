import { liveThrough } from './story.ts'

let steps = 0
try {
  await liveThrough('socket', {
    step: (title) => {
      steps += 1
      process.stdout.write(`\n${steps}. ${title}\n`)
    },
    saw: (line) => {
      process.stdout.write(`   ${line}\n`)
    },
  })
  process.stdout.write(`\nAll ${steps} steps held.\n`)
} catch (error) {
  process.stderr.write(
    `\nStep ${steps} did not hold. ${error instanceof Error ? error.message : String(error)}\n`,
  )
  process.exitCode = 1
}
