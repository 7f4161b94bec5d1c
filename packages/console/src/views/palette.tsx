import { useState } from 'preact/hooks'
import { healthText } from '../format.ts'
import { setTheme, THEMES, theme } from '../preferences.ts'
import { go, link } from '../router.ts'
import { endpoints, forms, liveForms, requests } from '../state/catalog.ts'
import { serverNow } from '../state/clock.ts'
import { act } from '../ui/announcer.tsx'
import { Icon, type IconName } from '../ui/controls.tsx'
import { type Dialog, openDialog } from '../ui/dialog.tsx'
import { movedBy } from '../ui/shortcuts.ts'
import { Line } from '../ui/values.tsx'
import { createForm } from './builder/form-commands.tsx'
import { addEndpoint } from './endpoint-actions.tsx'
import { VIEWS } from './views.ts'

/** Number of results shown. A longer query finds the others. */
const MAX_RESULTS = 12

function entry(icon: IconName, text: string, detail: string, run: () => void, key = text) {
  return { key, icon, text, detail, run }
}

type PaletteEntry = Readonly<ReturnType<typeof entry>>

const opens = (icon: IconName, text: string, detail: string, ...path: readonly (string | number)[]) =>
  entry(icon, text, detail, () => go(link(path)), path.join(' '))

/** An id of a delivery, which is opened, and any other text, which the log searches. */
function* deliveriesOf(query: string): Generator<PaletteEntry> {
  if (/^dlv_\w{21,}$/.test(query)) yield opens('deliveries', query, 'Delivery', 'deliveries', query)
  else if (query)
    yield entry('search', `Search deliveries for “${query}”`, 'Command', () =>
      go(link(['deliveries'], { q: query })),
    )
}

function* entries(): Generator<PaletteEntry> {
  for (const { path, text, icon } of VIEWS) yield opens(icon, text, 'View', path)
  yield opens('keys', 'Access', 'Keys and people', 'server', 'access')
  yield entry('forms', 'New form', 'Command', () => void act(createForm))
  if (liveForms.value.length > 0)
    yield entry('endpoints', 'Add an endpoint', 'Command', () => void addEndpoint())
  for (const { value, text, icon } of THEMES)
    if (value !== theme.value) yield entry(icon, text, 'Command', () => setTheme(value))
  for (const { id, title, trashed } of forms.data.value ?? [])
    yield opens('forms', title, trashed ? 'Form in the trash' : 'Form', 'forms', id)
  for (const { id, url, health } of endpoints.data.value ?? []) {
    const detail = `Endpoint #${id}, ${healthText(health, serverNow.value ?? 0)}`
    yield opens('endpoints', url, detail, 'endpoints', id)
  }
  for (const { number, method, path, request_id } of requests.data.value ?? [])
    yield opens('requests', `${method} ${path}`, `Request ${request_id}`, 'requests', number)
}

/** Returns the targets that contain every word of the query, in any order. */
function find(query: string): PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found: PaletteEntry[] = []
  for (const target of entries()) {
    const text = `${target.text}\n${target.detail}\n${target.key}`.toLowerCase()
    if (words.every((word) => text.includes(word)) && found.push(target) === MAX_RESULTS - 1) break
  }
  return [...found, ...deliveriesOf(query.trim())]
}

function Palette({ dialog }: { dialog: Dialog<PaletteEntry> }) {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const found = find(query)
  const active = Math.min(at, found.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const target = found[active]
    if (target && /^Arrow(?:Down|Up)$/.test(key))
      setAt(movedBy(key, ['ArrowUp', 'ArrowDown'], active, found.length) ?? active)
    else if (key === 'Enter') {
      if (target) dialog.settle(target)
    }
    // In some browsers, the key would only clear the field.
    else if (key === 'Escape') dialog.settle()
    else return
    event.preventDefault()
  }
  return (
    <div class="stack palette">
      <input
        type="search"
        role="combobox"
        aria-label="View, form, endpoint, delivery, request or command"
        aria-expanded={found.length > 0}
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${active}` : undefined}
        aria-autocomplete="list"
        placeholder="View, form, endpoint, delivery, request or command"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label="Results">
        {found.map((target, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys of all options.
          <div
            key={target.key}
            id={`palette-${index}`}
            role="option"
            class="item"
            aria-selected={index === active}
            tabIndex={-1}
            onClick={() => dialog.settle(target)}
          >
            <Icon name={target.icon} />
            <Line value={target.text} class="spring" />
            <span class="hint nowrap">{target.detail}</span>
          </div>
        ))}
      </div>
      <p class="hint" role="status">
        {found.length === 0 ? 'No results.' : ''}
      </p>
    </div>
  )
}

/** Asks what to open or do: a view, a form, an endpoint, a delivery, a request or a command. */
export async function openPalette(): Promise<void> {
  void requests.freshen()
  const target = await openDialog<PaletteEntry>('Go to', (dialog) => <Palette dialog={dialog} />)
  target?.run()
}
