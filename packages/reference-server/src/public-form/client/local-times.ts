/** Replaces UTC times in the page with local times. */
export function showLocalTimes(): void {
  const local = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'long',
    timeStyle: 'short',
  })
  const zone = new Intl.DateTimeFormat(document.documentElement.lang, { timeZoneName: 'short' })
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-instant]')) {
    const at = new Date(element.dateTime)
    const zoneName = zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    element.textContent = `${local.format(at)} ${zoneName}`.trim()
  }
}
