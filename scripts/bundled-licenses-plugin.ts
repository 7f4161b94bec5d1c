import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]
type Build = Parameters<Plugin['setup']>[0]

/** The file of a package that has the licenses of what it bundles. */
export const LICENSES_FILE = 'THIRD-PARTY-LICENSES.txt'

const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

/** Adds the folders of the packages of a bundle. */
function collect(build: Build, folders: Set<string>): void {
  build.initialOptions.metafile = true
  build.onEnd(({ metafile }) => {
    for (const file of Object.keys(metafile?.inputs ?? {})) {
      const [folder] = PACKAGE_FOLDER.exec(resolve(file)) ?? []
      if (folder !== undefined) folders.add(folder)
    }
  })
}

/** Returns the name, version and license of a package. @throws Error if it names no license */
function licenseOf(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^(?:license|licence)(?:[.-].*)?$/i.test(entry))
  if (file === undefined && license === undefined) throw new Error(`${name} ${version} names no license`)
  const text =
    file === undefined
      ? `${license}, by ${author?.name ?? author ?? 'its contributors'}`
      : readFileSync(join(folder, file), 'utf8')
  return `${name} ${version}\n\n${text.trim()}\n`
}

/**
 * Two plugins for the licenses of bundled packages, which ask for a copy of theirs. `collects` is for a bundle that becomes part of the
 * package, `writes` for the build of the package itself.
 *
 * @param others Folders of packages that a build contains in another form. @default none
 */
export function bundledLicenses(others: readonly string[] = []): { collects: Plugin; writes: Plugin } {
  const folders = new Set(others)
  return {
    collects: { name: 'collect-licenses', setup: (build) => collect(build, folders) },
    writes: {
      name: 'write-licenses',
      setup(build) {
        collect(build, folders)
        build.onEnd(() => {
          const outdir = build.initialOptions.outdir as string
          mkdirSync(outdir, { recursive: true })
          const licenses = [...folders].map(licenseOf).toSorted()
          writeFileSync(join(outdir, LICENSES_FILE), licenses.join(`\n${'-'.repeat(80)}\n\n`))
        })
      },
    },
  }
}
