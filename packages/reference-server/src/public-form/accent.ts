/** A colour in sRGB, each channel from 0 to 255. */
type Colour = readonly [red: number, green: number, blue: number]

/** Backgrounds of the pages in each scheme (`client/form.css`), on which an accent must be readable. */
export const BACKGROUNDS = {
  light: ['#f6f7f9', '#ffffff'],
  dark: ['#0e1116', '#1b2029'],
} as const

/** Contrast that WCAG AA requires of text. */
const TEXT_CONTRAST = 4.5
/** Share of the accent in the background of a chosen answer. */
const SOFT_SHARE = { light: 0.1, dark: 0.22 } as const
const STEPS = 50

const BLACK = '#000000'
const WHITE = '#ffffff'

/** Returns the WCAG contrast ratio of two colours, `#rrggbb`: from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** The colours of a form with an accent, in one scheme. */
interface Palette {
  /** Background of the Submit button. */
  readonly accent: string
  /** Text on `accent`. */
  readonly text: string
  /** The accent as a text or a line: darker or lighter, where it would be hard to see. */
  readonly line: string
  /** Background of a chosen answer. */
  readonly soft: string
}

/** Returns the colours for an accent. All texts in them have a contrast of at least 4.5:1. */
export function paletteOf(accent: string, scheme: 'light' | 'dark'): Palette {
  const [ground, sheet] = BACKGROUNDS[scheme]
  const soft = mix(accent, sheet, SOFT_SHARE[scheme])
  return {
    accent,
    text: contrast(accent, WHITE) >= TEXT_CONTRAST ? WHITE : BLACK,
    line: readableOn([ground, sheet, soft], accent, scheme === 'light' ? BLACK : WHITE),
    soft,
  }
}

/** Returns the style sheet of a form with an accent, `#rrggbb`. */
export function themeOf(accent: string): string {
  const rules = (scheme: 'light' | 'dark'): string => {
    const { accent: fill, text, line, soft } = paletteOf(accent, scheme)
    return `:root{--accent:${fill};--accent-text:${text};--accent-line:${line};--accent-soft:${soft}}`
  }
  return `${rules('light')}\n@media (prefers-color-scheme:dark){${rules('dark')}}\n`
}

/** Mixes as little of `end` into a colour as makes it readable on all backgrounds. */
function readableOn(backgrounds: readonly string[], colour: string, end: string): string {
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(end, colour, step / STEPS)
    if (backgrounds.every((background) => contrast(mixed, background) >= TEXT_CONTRAST)) return mixed
  }
  return end
}

/** Mixes two colours; `share` is that of the first. */
function mix(one: string, other: string, share: number): string {
  const base = parse(other)
  const channels = parse(one).map((channel, index) =>
    Math.round(channel * share + (base[index] as number) * (1 - share)),
  )
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function parse(colour: string): Colour {
  const number = Number.parseInt(colour.slice(1), 16)
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255]
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
