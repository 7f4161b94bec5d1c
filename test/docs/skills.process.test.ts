/** The skills have their format, and their calls of tools are valid. `pnpm packed-smoke` runs their commands. */

import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseArguments, type Tool } from '../../packages/cli/src/mcp/tool.ts'
import { toolsFor } from '../../packages/cli/src/mcp/tools/index.ts'
import { read, root } from '../../scripts/project/project.ts'

const skills = readdirSync(`${root}skills`).sort()
const textOf = (name: string): string => read(`skills/${name}/SKILL.md`)

describe('the skills', () => {
  it.each(skills)('%s has the frontmatter of the Agent Skills format and fits into 150 lines', (name) => {
    const text = textOf(name)
    const [, yaml = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? []
    const matter = parse(yaml)
    expect(Object.keys(matter)).toEqual(['name', 'description'])
    expect(matter.name).toBe(name)
    expect(matter.name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    expect(matter.name.length).toBeLessThanOrEqual(64)
    expect(matter.description.length).toBeLessThanOrEqual(1024)
    expect(text.split('\n').length).toBeLessThan(150)
  })

  it.each(skills)('%s calls tools with valid arguments', (name) => {
    const calls = [...textOf(name).matchAll(/`([a-z_]+) (\{[^`]*\})`/g)]
    expect(calls.length).toBeGreaterThan(0)
    for (const [, tool = '', args = ''] of calls) {
      const found = toolsFor({}).find((one) => one.name === tool) as Tool
      expect(found, tool).toBeDefined()
      expect(() => parseArguments(found, JSON.parse(args)), `${tool} ${args}`).not.toThrow()
    }
  })

  it.each(skills)('%s names pages and sections that exist', async (name) => {
    const { docs } = await import('../../packages/cli/src/mcp/docs/docs.ts')
    const all = await docs()
    for (const [, page = ''] of textOf(name).matchAll(/"page": "([^"]+)"/g))
      expect(all.read(page).text).not.toBe('')
    for (const [, page = ''] of textOf(name).matchAll(/blob\/main\/([^)\s]+)/g))
      expect(all.read(page).text).not.toBe('')
  })
})
