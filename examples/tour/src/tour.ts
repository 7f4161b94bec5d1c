import { runScenario } from './scenario.ts'

let steps = 0
try {
  await runScenario('socket', {
    step: (title) => {
      steps += 1
      process.stdout.write(`\n${steps}. ${title}\n`)
    },
    note: (line) => {
      process.stdout.write(`   ${line}\n`)
    },
  })
  process.stdout.write(`\nAll ${steps} steps passed.\n`)
} catch (error) {
  process.stderr.write(`\nStep ${steps} failed. ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
