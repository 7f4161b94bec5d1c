/**
 * Draws sequence diagrams in a part of Mermaid's notation, which GitHub draws too: `participant`, `->>`, `-->>`, `Note`,
 * `loop`, `alt`, `else`, `opt`, `end`, `accTitle` and `accDescr`. Mermaid itself needs a browser to measure text.
 */

interface Participant {
  id: string
  name: string
}

type Step =
  | { kind: 'message'; from: number; to: number; dashed: boolean; text: string }
  | { kind: 'note'; from: number; to: number; text: string }
  | { kind: 'open'; word: string; text: string }
  | { kind: 'else'; text: string }
  | { kind: 'close' }

interface Diagram {
  title: string
  description: string
  participants: Participant[]
  steps: Step[]
}

const MESSAGE = /^(\w+)\s*(-{1,2})>>\s*(\w+)\s*:\s*(.+)$/
const NOTE = /^Note over (\w+)(?:\s*,\s*(\w+))?\s*:\s*(.+)$/

/** Reads a diagram. @throws Error for a line that is not part of the notation */
function readSequenceDiagram(code: string): Diagram {
  const [first, ...lines] = code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('%%'))
  if (first !== 'sequenceDiagram')
    throw new Error(`a diagram must begin with "sequenceDiagram", got "${first}"`)
  const diagram: Diagram = { title: '', description: '', participants: [], steps: [] }
  const at = (id: string | undefined): number => {
    const index = diagram.participants.findIndex((participant) => participant.id === id)
    if (index < 0) throw new Error(`"${id}" is not a participant of the diagram`)
    return index
  }
  for (const line of lines) {
    const [word = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line)?.slice(1) ?? []
    const message = MESSAGE.exec(line)
    const note = NOTE.exec(line)
    if (word === 'accTitle:') diagram.title = rest
    else if (word === 'accDescr:') diagram.description = rest
    else if (word === 'participant') {
      const [id = '', name = id] = rest.split(' as ')
      diagram.participants.push({ id, name })
    } else if (message) {
      const [, from, dashes, to, text = ''] = message
      diagram.steps.push({ kind: 'message', from: at(from), to: at(to), dashed: dashes === '--', text })
    } else if (note) {
      const [, from, to = from, text = ''] = note
      diagram.steps.push({ kind: 'note', from: at(from), to: at(to), text })
    } else if (word === 'loop' || word === 'alt' || word === 'opt') {
      diagram.steps.push({ kind: 'open', word, text: rest })
    } else if (word === 'else') diagram.steps.push({ kind: 'else', text: rest })
    else if (line === 'end') diagram.steps.push({ kind: 'close' })
    else throw new Error(`cannot draw "${line}"`)
  }
  if (!diagram.title || !diagram.description) throw new Error('a diagram must have accTitle and accDescr')
  return diagram
}

/** Width of a character of the font, in pixels: an upper bound for its average. */
const CHARACTER = 7.2
const HEADER = 34
const MARGIN = 14

const widthOf = (text: string): number => Math.ceil(text.length * CHARACTER)
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('{', '&#123;')

/** Returns a diagram as SVG, whose colours the page's style sheet sets. `id` must be unique in the page. */
export function drawSequenceDiagram(code: string, id: string): string {
  const diagram = readSequenceDiagram(code)
  const columns = columnsOf(diagram)
  const width = widthBehind(diagram, columns)
  const { parts, bottom } = stepsOf(diagram, columns, width)
  const lifelines = columns.map((x) => `<path class="lifeline" d="M${x} ${HEADER + 4}V${bottom}"/>`)
  const headers = diagram.participants.map(({ name }, index) => {
    const [x, boxWidth] = [columns[index] as number, widthOf(name) + 24]
    return (
      `<rect class="participant" x="${x - boxWidth / 2}" y="4" width="${boxWidth}" height="${HEADER}" rx="6"/>` +
      `<text class="name" x="${x}" y="26">${escaped(name)}</text>`
    )
  })
  const [titleId, textId, arrowId] = [`${id}-title`, `${id}-text`, `${id}-arrow`]
  return [
    `<figure class="diagram" tabindex="0" role="region" aria-label="${escaped(diagram.title).replaceAll('"', '&quot;')}">`,
    `<svg viewBox="0 0 ${width} ${bottom + MARGIN}" width="${width}" height="${bottom + MARGIN}" role="img" aria-labelledby="${titleId} ${textId}">`,
    `<title id="${titleId}">${escaped(diagram.title)}</title><desc id="${textId}">${escaped(diagram.description)}</desc>`,
    `<defs><marker id="${arrowId}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="arrow" d="M0 0L8 4L0 8z"/></marker></defs>`,
    ...lifelines,
    ...headers,
    ...parts.map((part) => part.replaceAll('ARROW', `url(#${arrowId})`)),
    '</svg></figure>',
  ].join('')
}

/** Returns the middle of each column, so that every text fits between the columns that it spans. */
function columnsOf({ participants, steps }: Diagram): number[] {
  const names = participants.map(({ name }) => widthOf(name) + 24)
  const gaps = names.slice(1).map((width, index) => (width + (names[index] as number)) / 2 + 24)
  for (const step of steps) {
    if (step.kind !== 'message' && step.kind !== 'note') continue
    const [from, to] = [Math.min(step.from, step.to), Math.max(step.from, step.to)]
    // A message to oneself, and a note over one participant, reach into the next column.
    const last = from === to ? from + 1 : to
    if (from === to && from === participants.length - 1) continue
    const needed = widthOf(step.text) + (from === to ? 60 : 36)
    const present = gaps.slice(from, last).reduce((sum, gap) => sum + gap, 0)
    for (let index = from; index < last; index++) {
      gaps[index] = (gaps[index] as number) + Math.max(0, needed - present) / (last - from)
    }
  }
  const middles = [Math.round((names[0] as number) / 2 + 2 * MARGIN)]
  for (const gap of gaps) middles.push(Math.round((middles.at(-1) as number) + gap))
  return middles
}

/** Returns the width of the drawing: what the last participant does to itself is written beside it. */
function widthBehind({ participants, steps }: Diagram, columns: readonly number[]): number {
  const last = participants.length - 1
  const names = widthOf((participants[last] as Participant).name) / 2 + 2 * MARGIN
  const texts = steps.flatMap((step) => {
    if (step.kind === 'message')
      return step.from === last && step.to === last ? [widthOf(step.text) + 12] : []
    return step.kind === 'note' && Math.max(step.from, step.to) === last ? [widthOf(step.text) / 2 + 20] : []
  })
  return Math.ceil((columns[last] as number) + Math.max(names, ...texts) + MARGIN)
}

function stepsOf(
  { steps }: Diagram,
  columns: readonly number[],
  width: number,
): { parts: string[]; bottom: number } {
  const parts: string[] = []
  const open: { top: number; inset: number }[] = []
  let y = HEADER + 18
  for (const step of steps) {
    if (step.kind === 'message') {
      const [from, to] = [columns[step.from] as number, columns[step.to] as number]
      const dashed = step.dashed ? ' dashed' : ''
      y += 32
      if (from === to) {
        parts.push(
          `<text class="beside" x="${from + 12}" y="${y - 14}">${escaped(step.text)}</text>`,
          `<path class="message${dashed}" marker-end="ARROW" d="M${from} ${y - 8}h36v16h-34"/>`,
        )
        y += 10
      } else {
        parts.push(
          `<text x="${(from + to) / 2}" y="${y - 7}">${escaped(step.text)}</text>`,
          `<path class="message${dashed}" marker-end="ARROW" d="M${from} ${y}H${to > from ? to - 2 : to + 2}"/>`,
        )
      }
    } else if (step.kind === 'note') {
      const middle = ((columns[step.from] as number) + (columns[step.to] as number)) / 2
      const span = Math.abs((columns[step.to] as number) - (columns[step.from] as number))
      const noteWidth = Math.max(widthOf(step.text) + 20, span + 40)
      const left = Math.max(MARGIN, middle - noteWidth / 2)
      y += 14
      parts.push(
        `<rect class="note" x="${left}" y="${y}" width="${noteWidth}" height="28" rx="3"/>`,
        `<text x="${left + noteWidth / 2}" y="${y + 19}">${escaped(step.text)}</text>`,
      )
      y += 30
    } else if (step.kind === 'open') {
      const inset = 4 + open.length * 6
      y += 16
      open.push({ top: y, inset })
      parts.push(
        `<text class="beside word" x="${inset + 8}" y="${y + 17}">${escaped(`${step.word}: ${step.text}`)}</text>`,
      )
      y += 20
    } else if (step.kind === 'else') {
      const inset = open.at(-1)?.inset ?? 4
      y += 14
      parts.push(
        `<path class="frame dashed" d="M${inset} ${y}H${width - inset}"/>`,
        `<text class="beside word" x="${inset + 8}" y="${y + 17}">${escaped(`else: ${step.text}`)}</text>`,
      )
      y += 20
    } else {
      const frame = open.pop()
      if (!frame) throw new Error('"end" without "loop", "alt" or "opt"')
      y += 14
      parts.push(
        `<rect class="frame" x="${frame.inset}" y="${frame.top}" width="${width - 2 * frame.inset}" height="${y - frame.top}" rx="4"/>`,
      )
    }
  }
  if (open.length > 0) throw new Error('"end" is missing')
  return { parts, bottom: y + 18 }
}
