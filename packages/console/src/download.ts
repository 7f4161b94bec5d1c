import { fetchBlob } from './api.ts'

/** Downloads `/_app/{path}` as a file. The token is sent in a header, so the URL alone cannot be a link. @throws CallError */
export async function download(path: string, name: string): Promise<void> {
  save(await fetchBlob(path), name)
}

/** Saves a value as a JSON file. */
export const saveJson = (value: unknown, name: string): void =>
  save(new Blob([`${JSON.stringify(value, undefined, 2)}\n`], { type: 'application/json' }), name)

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has its own reference to the content once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
