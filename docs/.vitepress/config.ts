import { readFileSync } from 'node:fs'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { SEARCH } from '../../packages/internal/src/docs-search.ts'
import { LOGO } from '../../packages/internal/src/logo.ts'
import { addAnchors } from '../../scripts/docs/anchors.ts'
import { slugOf } from '../../scripts/docs/markdown.ts'
import { PROJECT } from '../../scripts/project/project.ts'
import { accessibleTheme } from './accessible-theme.ts'
import { addLayout } from './markdown.ts'

// scripts/docs.ts writes the pages and the navigation before it builds the site.
const sections = JSON.parse(
  readFileSync(new URL('./pages/navigation.json', import.meta.url), 'utf8'),
) as DefaultTheme.SidebarItem[]

/** Sections with a navigation of their own, and the paths of their pages. */
const APART: Readonly<Record<string, string[]>> = {
  '/reference/http-api/': ['HTTP API'],
  '/reference/control-api/': ['Control API'],
  '/reference/api/': ['TypeScript API'],
  '/examples/': ['Examples'],
  '/project/': ['Project'],
}

const sectionsOf = (names: readonly string[]): DefaultTheme.SidebarItem[] =>
  sections.filter(({ text }) => names.includes(text ?? ''))

/** The navigation of all other pages: its last part leads to the sections that are apart. */
function mainSections(): DefaultTheme.SidebarItem[] {
  const apart = Object.values(APART).flat()
  return [
    ...sections.filter(({ text }) => !apart.includes(text ?? '')),
    {
      text: 'More',
      items: apart.flatMap((text) => (sectionsOf([text]).length > 0 ? [{ text, link: firstOf(text) }] : [])),
    },
  ]
}

const firstOf = (section: string): string =>
  sections.find(({ text }) => text === section)?.items?.[0]?.link ?? '/'

const ICON = `data:image/svg+xml,${encodeURIComponent(LOGO)}`

export default defineConfig({
  title: 'Formwire',
  lang: 'en',
  srcDir: '.vitepress/pages',
  outDir: '.vitepress/dist',
  cacheDir: '.vitepress/cache',
  head: [['link', { rel: 'icon', href: ICON }]],
  transformHead: ({ page, siteData }) =>
    page === '404.md'
      ? []
      : [['link', { rel: 'alternate', type: 'text/markdown', href: `${siteData.base}${page}` }]],
  // scripts/docs/check-links.ts checks every link of the built site, places in pages included.
  ignoreDeadLinks: true,
  vite: {
    plugins: [accessibleTheme],
    // The index of the search is loaded when somebody searches.
    build: { chunkSizeWarningLimit: 2000 },
  },
  markdown: {
    // Our pages are plain Markdown: braces and angle brackets in them are text.
    html: false,
    linkify: false,
    attrs: { disable: true },
    anchor: { slugify: slugOf },
    languageAlias: { cjs: 'js', mjs: 'js' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      const text = md.renderer.rules.text
      md.renderer.rules.text = (tokens, index, options, env, self) =>
        (text?.(tokens, index, options, env, self) ?? '').replaceAll('{{', '&#123;&#123;')
      addAnchors(md)
      // A table without a heading above a column has no header there, rather than an empty one.
      md.core.ruler.push('empty-headers', ({ tokens }) => {
        tokens.forEach((token, index) => {
          if (token.type !== 'th_open' || tokens[index + 1]?.content !== '') return
          for (const cell of [token, tokens[index + 2]]) if (cell) cell.tag = 'td'
        })
      })
      md.core.ruler.push('as-markdown', ({ tokens, env, Token }) => {
        const name = String(env.relativePath ?? '')
          .split('/')
          .at(-1)
        if (!name) return
        const link = new Token('html_block', '', 0)
        link.content = `<p class="as-markdown"><a href="./${name}" target="_self">This page as Markdown</a></p>`
        tokens.push(link)
      })
      addLayout(md)
    },
  },
  themeConfig: {
    logo: ICON,
    nav: [
      {
        text: 'Docs',
        link: '/tutorials/',
        activeMatch: '^/(?:tutorials|how-to|explanation|reference/packages|examples)/',
      },
      {
        text: 'API',
        link: firstOf('HTTP API'),
        activeMatch: '^/reference/(?:http-api|control-api|api)/',
      },
      { text: 'CLI', link: '/reference/commands', activeMatch: '^/reference/commands' },
      { text: 'Repository', link: PROJECT.repository },
    ],
    sidebar: {
      '/': mainSections(),
      ...Object.fromEntries(
        Object.entries(APART).map(([path, names]) => [
          path,
          [{ text: 'Formwire', items: [{ text: 'All pages', link: '/' }] }, ...sectionsOf(names)],
        ]),
      ),
    },
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: SEARCH } },
    notFound: {
      title: 'Page not found',
      quote:
        'The address is wrong, or the page has moved. Search for it (Ctrl K), or start from the home page.',
      linkText: 'Home page',
      linkLabel: 'Home page',
    },
  },
})
