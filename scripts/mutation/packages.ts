import { testFiles } from '../../test/support/kinds.ts'

/** The package of a source file: the tests of a package are to notice changes of its sources. */
export function packageOf(file: string): string {
  return file.split('/').slice(0, 2).join('/')
}

/** The part of a package that a file belongs to, as the results name it. */
export function moduleOf(file: string): string {
  const [, name, , folder = ''] = file.split('/')
  return `${name} ${folder.replace(/\.ts$/, '')}`
}

/** Test files that share modules, or that have modules of their own. */
export interface TestGroup {
  name: string
  tests: string[]
  isolate: boolean
}

/**
 * Returns the tests of a package that start with one of some paths. Tests that start other programs come too: most of their files have
 * others.
 *
 * @param withCases also those with many cases.
 */
export function testsOf(name: string, only: readonly string[], withCases: boolean): TestGroup[] {
  const select = (files: readonly string[]): string[] =>
    files
      .filter((file) => file.startsWith(`${name}/`))
      .filter((file) => only.length === 0 || only.some((path) => file.startsWith(path)))
      .sort()
  const { unit, isolated, process, cases } = testFiles()
  return [
    { name: 'unit', tests: select(unit), isolate: false },
    {
      name: 'isolated',
      tests: select([...isolated, ...process, ...(withCases ? cases : [])]),
      isolate: true,
    },
  ]
}

/** Returns how much a test has to do with a source file: its name counts more than its folder. */
export function nearness(source: string, test: string): number {
  const same = source.replace('/src/', '/test/').replace(/\.ts$/, '.test.ts')
  if (test.startsWith(`${same} > `)) return 1000
  return test.startsWith(same.replace(/[^/]+$/, '')) ? 10 : 1
}

/** Returns the tests of the nearest folder that corresponds to that of a source file and has some. */
export function nearestTests(source: string, tests: readonly string[]): string[] {
  for (let folder = source.replace('/src/', '/test/'); folder.includes('/test/'); ) {
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1)
    const near = tests.filter((file) => file.startsWith(folder))
    if (near.length > 0) return near
  }
  return [...tests]
}
