import { fetchBlob } from './api.ts'

/** Downloads `/_app/{path}` as a file. The token is sent in a header, so the URL alone cannot be a link. @throws CallError */
export async function download(path: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await fetchBlob(path))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has its own reference to the content once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
