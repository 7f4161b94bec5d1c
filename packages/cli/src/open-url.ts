import { spawn } from 'node:child_process'

/** The program that opens a URL, without a shell: on Windows, `start` would interpret `&` and `%`. */
export function openCommand(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): readonly [program: string, ...args: string[]] {
  if (env.BROWSER) return [env.BROWSER]
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}

/** Opens an http(s) URL in the browser, and does not wait for it. @throws if the program cannot be started */
export async function openUrl(
  url: string,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const [program, ...args] = openCommand(platform, env)
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
    child.once('error', reject)
    child.once('spawn', resolve)
    child.unref()
  })
}
