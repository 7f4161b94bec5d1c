const KEY = 'formwire-code-tabs'
const REMEMBERED_MAX = 20

/** Titles of the tabs that a reader has chosen, the latest first. Kept by the page where the browser stores nothing. */
let chosen: readonly string[] | undefined

function remembered(): readonly string[] {
  try {
    chosen ??= (localStorage.getItem(KEY) ?? '').split('\n')
  } catch {
    chosen = []
  }
  return chosen
}

function remember(title: string): void {
  chosen = [title, ...remembered().filter((other) => other !== title)].slice(0, REMEMBERED_MAX)
  try {
    localStorage.setItem(KEY, chosen.join('\n'))
  } catch {
    // The browser stores nothing for this site.
  }
}

/** Shows the tab that a reader has chosen in every box that has it, also of the next page. */
export function chooseEverywhere({ target }: Event): void {
  if (isChoosing || !(target instanceof HTMLInputElement) || !target.closest('.vp-code-group')) return
  remember((target.nextElementSibling as HTMLElement | null)?.dataset.title ?? '')
  choose(target)
}

/** Shows the tabs that a reader has chosen before. */
export const chooseRemembered = (): void =>
  choose(document.querySelector(':target') ?? document.documentElement)

/** Whether a tab is chosen here rather than by the reader. */
let isChoosing = false

/** Chooses the latest remembered tab of every box, without moving what is read: VitePress scrolls to each tab. */
function choose(read: Element): void {
  isChoosing = true
  const { top } = read.getBoundingClientRect()
  for (const group of document.querySelectorAll('.vp-code-group')) {
    const labels = [...group.querySelectorAll<HTMLElement>('label')]
    const title = remembered().find((one) => labels.some(({ dataset }) => dataset.title === one))
    const input = labels.find(({ dataset }) => dataset.title === title)?.previousElementSibling
    if (title !== undefined && input instanceof HTMLInputElement && !input.checked) input.click()
  }
  window.scrollBy(0, read.getBoundingClientRect().top - top)
  isChoosing = false
}
