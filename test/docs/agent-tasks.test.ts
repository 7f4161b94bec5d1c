import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const examples = fileURLToPath(new URL('../../examples/agent-tasks/', import.meta.url))
const tasks = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  .map(({ name }) => name)
const read = (...path: string[]): string => readFileSync(join(examples, ...path), 'utf8')

describe.each(tasks)('the task %s', (task) => {
  const statement = read(task, 'TASK.md')

  it('has a statement of at most 40 lines, with what is wanted, what is given and how it is graded', () => {
    expect(statement.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
    const headings = [...statement.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(['What is wanted', 'What is given', 'How it is graded'])
    expect(statement).toContain(`node grade.mjs ${task} FOLDER`)
  })

  it('lists the criteria of its grader', async () => {
    const { criteria } = await import(join(examples, task, 'grader.mjs'))
    const listed = [...statement.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, id]) => id)
    expect(listed).toEqual(Object.keys(criteria))
  })
})

it('README.md of the tasks lists each of them', () => {
  const listed = [...read('README.md').matchAll(/^\| \[([a-z-]+)\]\(([a-z-]+)\/TASK\.md\) \|/gm)]
  expect(listed.map(([, name, folder]) => (name === folder ? name : undefined)).sort()).toEqual(
    [...tasks].sort(),
  )
})
