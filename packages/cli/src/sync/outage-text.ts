/** Says what a code means: a service that rejects a key was reached. */
export function outageText(workspace: string, code: string): string {
  if (/^database_(?:unavailable|locked|closed)$/.test(code)) return `the database cannot be reached: ${code}`
  if (code.startsWith('database_')) return `workspace ${workspace} cannot use the database: ${code}`
  if (code === 'unauthorized' || code === 'forbidden')
    return `the service rejects the key of workspace ${workspace}: ${code}`
  if (code === 'foreign_page')
    return `a proxy responds instead of the service of workspace ${workspace}: ${code}`
  const what = code.endsWith('Error') ? 'cannot be reached' : 'fails'
  return `the service of workspace ${workspace} ${what}: ${code}`
}
