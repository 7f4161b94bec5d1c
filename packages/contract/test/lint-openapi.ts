import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** Returns what the linter reports about an OpenAPI document, and its output on stderr. */
export async function lintOpenApi(file: string): Promise<{ report: unknown; stderr: string }> {
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
