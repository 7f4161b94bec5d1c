import { monoFontOf } from '../../packages/reference-server/scripts/mono-font.ts'

/** A command that was run in a terminal, and the lines that it printed, with the escape sequences of their colours. */
export interface Ran {
  readonly command: string
  readonly output: readonly string[]
}

/** In pixels. Text is stretched to the columns. */
const COLUMN = 7.8
const ROW = 20
const MARGIN = 20
const TITLE = 40

const COLOURS: Readonly<Record<string, string>> = { 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' }
const WEIGHTS: Readonly<Record<string, string>> = { 1: 'bold', 2: 'dim' }

const fontFace = (url: string): string => `
  @font-face { font-family: "JetBrains Mono"; font-weight: 400 600; src: url("${url}") }`

const CSS = `
  text { font: 13px "JetBrains Mono", ui-monospace, Menlo, Consolas, monospace; fill: #e6e9f0; white-space: pre }
  .bold { font-weight: 600 }
  .dim { fill: #9ba4b5 }
  .red { fill: #ff9f96 }
  .green { fill: #7bd7a1 }
  .yellow { fill: #f0bf6a }
  .cyan { fill: #a3aeff }
  /* The font has no such mark. */
  .mark { fill: none; stroke: #7bd7a1; stroke-width: 1.4 }
  @media (prefers-reduced-motion: no-preference) {
    svg:not(:target) .typed { animation: type 0.5s steps(24) 0.5s both }
    svg:not(:target) .printed { animation: print 0.1s 1.2s both }
    @keyframes type { from { clip-path: inset(0 100% 0 0) } }
    @keyframes print { from { opacity: 0 } }
  }
`

/** Returns a picture of a terminal in which the last command is typed: not where a reader wants no motion, nor with `#still`. */
export async function terminalSvg(columns: number, session: readonly Ran[]): Promise<string> {
  let row = 0
  const rows = (lines: readonly string[]): string => lines.map((line) => textOf(line, row++)).join('\n')
  const last = session.at(-1)
  const steps = session.flatMap((ran) => {
    const [typed, printed] = ran === last ? [' class="typed"', ' class="printed"'] : ['', '']
    return [
      `<g${typed}>\n${rows([`\u001b[32m$\u001b[0m ${ran.command}`])}\n</g>`,
      `<g${printed}>\n${rows([...ran.output, ''])}\n</g>`,
    ]
  })
  const font = await monoFontOf([...new Set(steps.join(''))].sort().join(''))
  const [width, height] = [Math.ceil(columns * COLUMN) + 2 * MARGIN, TITLE + row * ROW]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" id="still" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    '<title>A terminal</title>',
    `<style>${fontFace(font)}${CSS}</style>`,
    `<rect width="${width}" height="${height}" rx="10" fill="#151920"/>`,
    '<g fill="#3a4252"><circle cx="22" cy="20" r="5"/><circle cx="40" cy="20" r="5"/><circle cx="58" cy="20" r="5"/></g>',
    ...steps,
    '</svg>\n',
  ].join('\n')
}

function textOf(line: string, row: number): string {
  let column = 0
  let [colour, weight] = ['', '']
  const spans: string[] = []
  const marks: string[] = []
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  for (const [part, parameters] of line.matchAll(/\u001b\[([\d;]*)m|[^\u001b]+/g)) {
    if (parameters !== undefined) {
      for (const code of parameters.split(';')) {
        if (/^(?:0?|39)$/.test(code)) colour = ''
        if (/^(?:0?|22)$/.test(code)) weight = ''
        colour = COLOURS[code] ?? colour
        weight = WEIGHTS[code] ?? weight
      }
      continue
    }
    for (const { 0: words, index } of part.matchAll(/✓|[^\s✓]+(?: [^\s✓]+)*/g)) {
      if (words === '✓') {
        const from = `${at(MARGIN + (column + index) * COLUMN + 1)} ${TITLE + row * ROW + 10}`
        marks.push(`<path class="mark" d="M${from}l2.2 2.8 3.8-6"/>`)
        continue
      }
      const size = [...words].length
      const place = `x="${at(MARGIN + (column + index) * COLUMN)}" textLength="${at(size * COLUMN)}"`
      const style = [colour, weight].filter(Boolean).join(' ')
      spans.push(`<tspan ${place}${style && ` class="${style}"`}>${escaped(words)}</tspan>`)
    }
    column += [...part].length
  }
  return `<text y="${TITLE + row * ROW + 14}">${spans.join('')}</text>${marks.join('')}`
}

const at = (pixels: number): string => pixels.toFixed(1)

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
