import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'

/** Fails a run in which a test was skipped, is not written yet or is expected to fail: each would pass every gate. */
export class AllRan implements Reporter {
  #hasFilter = false

  onInit({ config }: Vitest): void {
    this.#hasFilter = config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // A filter by name skips all others.
    if (this.#hasFilter) return
    const tests = modules.flatMap(({ children }) => [...children.allTests()]).filter(didNotPass)
    if (tests.length === 0) return
    const lines = tests.map(({ module, fullName }) => `  ${module.relativeModuleId} > ${fullName}`)
    console.error(
      `In CI every test must run and pass. Skipped, unfinished or expected to fail:\n${lines.join('\n')}`,
    )
    process.exitCode = 1
  }
}

const didNotPass = (test: TestCase): boolean =>
  test.result().state === 'skipped' || test.options.fails === true
