const ROOT = /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/
const ITEM =
  /(:key="p\.id")\s+(:id="'localsearch-item-' \+ index"\s+:aria-selected="[^"]*")\s+role="option"(\s*>\s*<a)(?=\s)/

const KEY = '<kbd :aria-label='

/**
 * A plugin of Vite that corrects the roles in VitePress's search box: neither its frame, a "button", nor its results, "options", may
 * contain other controls. The frame becomes a dialog, and the link of each result its option. Only images may have the labels of keys.
 */
export const accessibleSearch = {
  name: 'accessible-search',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | undefined {
    if (!id.endsWith('/VPLocalSearchBox.vue')) return undefined
    if (!ROOT.test(code) || !ITEM.test(code) || !code.includes(KEY)) {
      throw new Error(
        'VPLocalSearchBox.vue of VitePress has changed: see docs/.vitepress/accessible-search.ts',
      )
    }
    return code
      .replace(ROOT, 'role="dialog" aria-modal="true"')
      .replace(ITEM, '$1 role="none"$3 $2 role="option"')
      .replaceAll(KEY, '<kbd role="img" :aria-label=')
  },
}
