import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** Returns what the linter reports about an OpenAPI document, and its output on stderr. */
async function lintOpenApi(file: string): Promise<{ report: unknown; stderr: string }> {
  const packageJson = createRequire(import.meta.url).resolve('@redocly/cli/package.json')
  const { stderr, stdout } = await promisify(execFile)(
    process.execPath,
    [join(dirname(packageJson), 'bin/cli.js'), 'lint', file, '--format', 'json', '--max-problems', '1000'],
    {
      cwd: dirname(file),
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
    },
  ).catch((error: { stdout: string; stderr: string }) => error)
  return { report: JSON.parse(stdout.slice(stdout.indexOf('{'))), stderr }
}

it.each(['openapi.json', 'control.openapi.json'])('%s passes the linter without warnings', async (name) => {
  const { report, stderr } = await lintOpenApi(fileURLToPath(new URL(`../${name}`, import.meta.url)))
  expect(report, stderr).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] })
})
