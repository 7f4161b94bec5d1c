import { link, route } from '../../router.ts'
import { builtInReceiver } from '../../state/catalog.ts'
import { BackTo200, scriptText } from './receiver-script.tsx'

/** The built-in receiver while it is set to fail, above every view but the one that shows it: the deliveries look like a fault of the server. */
export function ReceiverBanner() {
  const receiver = builtInReceiver.data.value
  const text = receiver ? scriptText(receiver) : undefined
  if (text === undefined || route.value.path[0] === 'server') return null
  return (
    <aside class="row note fault-banner" aria-label="Built-in receiver">
      <strong>Built-in receiver</strong>
      <span>{text}</span>
      <span class="bar end">
        <a href={link(['server'])}>Manage</a>
        <BackTo200 class="button small" />
      </span>
    </aside>
  )
}
