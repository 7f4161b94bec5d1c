const ROOT = /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/
const ITEM =
  /(:key="p\.id")\s+(:id="'localsearch-item-' \+ index"\s+:aria-selected="[^"]*")\s+role="option"(\s*>\s*<a)(?=\s)/
const KEY = '<kbd :aria-label='
const NOT_FOUND = /<div class="NotFound">([\s\S]*)<\/div>(?=\s*<\/template>)/

/** What to correct in components of VitePress's theme, by the end of their paths. */
const CORRECTIONS: Readonly<Record<string, readonly (readonly [RegExp | string, string])[]>> = {
  // Neither the frame of the search, a "button", nor its results, "options", may contain other controls. The frame becomes a dialog, and
  // the link of each result its option. Only images may have the labels of keys.
  '/VPLocalSearchBox.vue': [
    [ROOT, 'role="dialog" aria-modal="true"'],
    [ITEM, '$1 role="none"$3 $2 role="option"'],
    [KEY, '<kbd role="img" :aria-label='],
  ],
  // The text of a page is in a landmark.
  '/NotFound.vue': [[NOT_FOUND, '<main class="NotFound">$1</main>']],
}

/** A plugin of Vite that corrects roles and landmarks in VitePress's theme. */
export const accessibleTheme = {
  name: 'accessible-theme',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | undefined {
    const name = Object.keys(CORRECTIONS).find((end) => id.endsWith(end))
    return CORRECTIONS[name ?? '']?.reduce((text, [from, to]) => {
      if (text.search(from) < 0)
        throw new Error(`${name} of VitePress has changed: see docs/.vitepress/accessible-theme.ts`)
      return text.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'g'), to)
    }, code)
  },
}
