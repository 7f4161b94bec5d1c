import { all, announce, element, english } from './dom.ts'
import { keepUnique, Places } from './places.ts'

/** Pixels that a pointer moves before a press becomes a drag. */
const DRAG_DISTANCE = 5

/** Makes rankings sortable: options are dragged into place, pressed, or moved with the arrow keys. The select lists stay. */
export function makeRankingsSortable(form: HTMLFormElement): void {
  for (const list of all<HTMLElement>(form, '[data-ranking]')) {
    const places = new Places(list)
    keepUnique(places)
    makeSortable(form, places)
    list
      .closest('[data-question]')
      ?.querySelector('.hint')
      ?.append(' Drag the options into place, or press them in order.')
  }
}

function makeSortable(form: HTMLFormElement, places: Places): void {
  const rows = all<HTMLElement>(places.list, 'li')
  const grips = rows.map((row, index) => {
    const grip = element('button', { type: 'button', class: 'grip', ...english })
    grip.addEventListener('keydown', (event) => {
      const to = index + ({ ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0)
      if (to === index) return
      event.preventDefault()
      if (to < 0 || to >= rows.length) return
      places.move(index, to)
      grips[to]?.focus()
      announce(form, labelOf(places.selects[to]), `: ${rows[to]?.querySelector('label')?.textContent}`)
    })
    makeDraggable(grip, row, rows, (to) => places.move(index, to))
    places.selects[index]?.before(grip)
    return grip
  })
  const pool = element('div', { class: 'pool' })
  places.list.before(pool)

  const unranked = (): HTMLOptionElement[] =>
    all<HTMLOptionElement>(places.selects[0] as ParentNode, 'option').filter(
      ({ value }) => value !== '' && !places.ranking.includes(value),
    )
  const update = () => {
    const ranking = places.ranking
    for (const [index, grip] of grips.entries()) {
      const isFree = ranking[index] === ''
      // Keeps the focus, and its place in the row.
      grip.classList.toggle('idle', isFree)
      grip.tabIndex = isFree ? -1 : 0
      grip.replaceChildren(
        element('span', { class: 'sr-only' }, 'Move ', labelOf(places.selects[index]), ' up or down'),
      )
    }
    const free = unranked()
    pool.replaceChildren(...free.map(chip))
    pool.hidden = free.length === 0
  }
  const chip = ({ value, text }: HTMLOptionElement): HTMLElement => {
    const button = element('button', { type: 'button', class: 'chip', dir: 'auto' }, text)
    const add = (at: number) => {
      places.insert(value, at)
      const [last, ...others] = unranked()
      // It has only one place left.
      if (last && others.length === 0) places.insert(last.value, places.ranking.indexOf(''))
      const next = pool.querySelector<HTMLElement>('button') ?? grips[at]
      next?.focus()
    }
    button.addEventListener('click', () => add(places.ranking.indexOf('')))
    makeDraggable(button, button, rows, add)
    return button
  }
  places.list.addEventListener('input', update)
  places.list.addEventListener('change', update)
  addEventListener('pageshow', update)
  update()
}

const labelOf = (place: HTMLSelectElement | undefined): HTMLElement =>
  element('bdi', {}, place?.selectedOptions[0]?.text ?? '')

/** Drags an element by its handle; `drop` receives the index of the row that it was released over. */
function makeDraggable(
  handle: HTMLElement,
  dragged: HTMLElement,
  rows: readonly HTMLElement[],
  drop: (index: number) => void,
): void {
  let wasDragged = false
  // Releasing the pointer over the handle also clicks it.
  handle.addEventListener('click', (click) => wasDragged && click.stopImmediatePropagation(), {
    capture: true,
  })
  handle.addEventListener('pointerdown', (down) => {
    if (down.button !== 0 || handle.classList.contains('idle')) return
    let target = -1
    const mark = (index: number) => {
      target = index
      for (const [at, row] of rows.entries()) row.classList.toggle('target', at === index)
    }
    const move = ({ clientX, clientY }: PointerEvent) => {
      const [x, y] = [clientX - down.clientX, clientY - down.clientY]
      if (!dragged.classList.contains('dragged') && Math.hypot(x, y) < DRAG_DISTANCE) return
      dragged.classList.add('dragged')
      dragged.style.translate = `${x}px ${y}px`
      mark(
        rows.findIndex((row) => {
          // Its own row moves with the pointer.
          const { top, bottom } = row === dragged ? { top: 0, bottom: 0 } : row.getBoundingClientRect()
          return clientY >= top && clientY < bottom
        }),
      )
    }
    const end = (event: Event) => {
      handle.removeEventListener('pointermove', move)
      handle.removeEventListener('pointerup', end)
      handle.removeEventListener('pointercancel', end)
      wasDragged = dragged.classList.contains('dragged')
      setTimeout(() => {
        wasDragged = false
      })
      const over = target
      dragged.classList.remove('dragged')
      dragged.style.translate = ''
      mark(-1)
      if (wasDragged && event.type === 'pointerup' && over >= 0) drop(over)
    }
    handle.setPointerCapture(down.pointerId)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('pointerup', end)
    handle.addEventListener('pointercancel', end)
  })
}
