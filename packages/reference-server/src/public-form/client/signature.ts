import { all, element, english } from './dom.ts'

const WIDTH = 600
const HEIGHT = 200

/** Adds a drawing pad to each signature question. The drawing becomes the file to upload. */
export function addSignaturePads(form: HTMLFormElement): void {
  for (const box of all<HTMLElement>(form, '[data-signature]')) {
    const upload = box.querySelector<HTMLInputElement>('input[type="file"]')
    if (!upload) continue
    const kept = box.querySelector('[data-kept]')
    box
      .closest('[data-question]')
      ?.querySelector('.hint')
      ?.replaceChildren(
        kept
          ? 'Your signature is saved. To replace it, sign again or upload a picture.'
          : 'Sign on the pad, or upload a picture.',
      )
    // Below the saved one, which an empty pad would make look lost.
    upload.before(signaturePad(box, upload))
  }
}

function signaturePad(box: HTMLElement, upload: HTMLInputElement): HTMLElement {
  const canvas = element('canvas', {
    width: String(WIDTH),
    height: String(HEIGHT),
    role: 'img',
    'aria-label':
      'Signature pad. Sign with a finger, pen or mouse. To use the keyboard, upload a picture below.',
  })
  const clear = element('button', { type: 'button', class: 'clear', ...english }, 'Clear signature')
  const pad = element('div', { class: 'pad' }, canvas, clear)
  const pen = canvas.getContext('2d')
  if (!pen) return pad
  pen.lineWidth = 3
  pen.lineCap = 'round'
  pen.lineJoin = 'round'

  const wipe = () => {
    // White in every colour scheme, since the picture is viewed elsewhere.
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, WIDTH, HEIGHT)
    clear.hidden = true
  }
  const moveTo = (event: PointerEvent) => {
    const { left, top, width, height } = canvas.getBoundingClientRect()
    return [((event.clientX - left) / width) * WIDTH, ((event.clientY - top) / height) * HEIGHT] as const
  }
  const draw = (event: PointerEvent) => {
    pen.lineTo(...moveTo(event))
    pen.stroke()
  }
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    canvas.setPointerCapture(event.pointerId)
    pen.beginPath()
    pen.moveTo(...moveTo(event))
    draw(event)
    clear.hidden = false
    canvas.addEventListener('pointermove', draw)
  })
  canvas.addEventListener('lostpointercapture', () => {
    canvas.removeEventListener('pointermove', draw)
    setFile(upload, pictureOf(canvas))
    // The new signature replaces the previous one.
    for (const kept of all<HTMLInputElement>(box, '[data-kept]')) kept.checked = false
  })
  clear.addEventListener('click', () => {
    wipe()
    setFile(upload)
    canvas.scrollIntoView({ block: 'nearest' })
  })
  wipe()
  return pad
}

/** Synchronous, so that a form submitted right after the last stroke includes the signature. */
function pictureOf(canvas: HTMLCanvasElement): File {
  const [, base64 = ''] = canvas.toDataURL('image/png').split(',')
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return new File([bytes], 'signature.png', { type: 'image/png' })
}

function setFile(input: HTMLInputElement, file?: File): void {
  const transfer = new DataTransfer()
  if (file) transfer.items.add(file)
  input.files = transfer.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}
