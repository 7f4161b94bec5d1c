import type { ButtonHTMLAttributes, InputHTMLAttributes } from 'preact'

type ButtonProps = Omit<ButtonHTMLAttributes, 'onClick' | 'type' | 'class'> & {
  readonly run: () => unknown
  readonly isOff?: boolean
  readonly class?: string
  readonly icon?: IconName | undefined
}

/**
 * A button that keeps the focus while it is off, so that the keyboard stays where it was: a disabled one would lose it.
 *
 * @param isOff Whether it does nothing now. @default false
 */
export function Button(props: ButtonProps) {
  const { run, isOff, class: className = 'button', icon, children, ...attributes } = props
  return (
    <button
      type="button"
      class={className}
      aria-disabled={isOff}
      {...attributes}
      onClick={() => {
        if (!isOff) run()
      }}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** Outlines on a grid of 16 by 16, drawn with a stroke of 1.5. */
const PATHS = {
  deliveries: 'M14 2 7 9M14 2 9.5 14 7 9 2 6.5z',
  forms: 'M3.5 1.75h9v12.5h-9zM6 5.25h4M6 8h4M6 10.75h2',
  endpoints:
    'M6.5 9.5 9.5 6.5M7 4.5l1.6-1.6a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5l-1.6 1.6a3.2 3.2 0 0 1-4.5-4.5L4.5 7',
  requests: 'M2 5h11M10.5 2.5 13 5l-2.5 2.5M14 11H3M5.5 8.5 3 11l2.5 2.5',
  keys: 'M9.5 6.5a3.5 3.5 0 1 0-2.6 3.4L8.5 11.5H10V13h1.5v1.5H14v-2.4L9.4 7.5M5.5 5.5h.01',
  server: 'M2 2.5h12v4.5H2zM2 9h12v4.5H2zM4.5 4.75h.01M4.5 11.25h.01',
  more: 'M3 7.5v1M8 7.5v1M13 7.5v1',
  close: 'm3.5 3.5 9 9M12.5 3.5l-9 9',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  replay: 'M2.5 8a5.5 5.5 0 1 0 1.7-4M2.5 2v3h3',
  pause: 'M5.5 3v10M10.5 3v10',
  play: 'M4.5 2.5 13 8l-8.5 5.5z',
  send: 'M2 8h11M9 4l4 4-4 4',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6 14 14',
  alert: 'M8 1.8 14.8 13.7H1.2zM8 6v3.5M8 11.5h.01',
  down: 'm4 6 4 4 4-4',
  help: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM6.2 6.3a1.85 1.85 0 1 1 2.6 1.7c-.5.25-.8.6-.8 1.2M8 11.5h.01',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.2v1.3M8 13.5v1.3M1.2 8h1.3M13.5 8h1.3M3.2 3.2l.9.9M11.9 11.9l.9.9M3.2 12.8l.9-.9M11.9 4.1l.9-.9',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  screen: 'M1.75 2.5h12.5v8.5H1.75zM5.5 14h5',
  leave: 'M6 2.5H2.5v11H6M10.5 5 13.5 8l-3 3M13 8H6',
  delete: 'M2.5 4h11M6 4V2.5h4V4M4 4l.6 9.5h6.8L12 4M6.7 6.5v4.5M9.3 6.5v4.5',
  edit: 'M2.5 13.5l.7-3L10.7 3l2.3 2.3-7.5 7.5zM9.2 4.5l2.3 2.3',
  preview: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  archive: 'M2 3h12v3H2zM3 6v7.5h10V6M6.5 8.5h3',
  up: 'm4 10 4-4 4 4',
  plus: 'M8 3v10M3 8h10',
  grip: 'M6 3.5h.01M10 3.5h.01M6 8h.01M10 8h.01M6 12.5h.01M10 12.5h.01',
  log: 'M2.5 3.5h11M2.5 8h11M2.5 12.5h7',
} as const

export type IconName = keyof typeof PATHS

/** A decorative icon in the colour of the text. The control that contains it has a name of its own. */
export const Icon = ({ name }: { name: IconName }) => <Outline path={PATHS[name]} />

/** A decorative icon of a part that is loaded later. */
export const Outline = ({ path }: { path: string | undefined }) => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d={path} />
  </svg>
)

/** The logo of the server, beside the name. */
export const Logo = () => <img src="console/icon.svg" alt="" width="24" height="24" />

/** An input with its label. */
export const Field = ({ label, ...attributes }: InputHTMLAttributes & { label: string }) => (
  <label class="field">
    {label}
    <input autocomplete="off" {...attributes} />
  </label>
)

/** An option of a list: its value, its text, and what else is known of it. */
export type Option = readonly [value: string | number, text: string, ...others: unknown[]]

interface SelectProps {
  readonly label: string
  readonly text?: string
  readonly any?: string
  readonly options: readonly Option[]
  readonly choose?: (value: string) => void
  readonly class?: string
  readonly name?: string
  readonly value?: string | number | undefined
}

/**
 * A select with its label.
 *
 * @param text What is shown of the label. @default all of it
 * @param any Text of an option without a value, before the others.
 * @param choose Called with the value that is chosen.
 */
export const Select = (props: SelectProps) => {
  const { label, text = label, any, options, choose, class: className = 'field', ...attributes } = props
  return (
    <label class={className}>
      {text}
      <select aria-label={label} {...attributes} onChange={(event) => choose?.(event.currentTarget.value)}>
        {any === undefined ? null : <option value="">{any}</option>}
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Returns the items of a list that have a name or a title as options, cut to fit. */
export const optionsOf = <Id extends string | number>(
  list: readonly ({ readonly id: Id } & ({ readonly name: string } | { readonly title: string }))[],
): readonly (readonly [Id, string])[] =>
  list.map((one) => [one.id, ('name' in one ? one.name : one.title).slice(0, 80)] as const)
