import { useEffect } from 'preact/hooks'
import { keys, users, workspaces } from '../../state/catalog.ts'
import { NotLoaded, Stale } from '../../ui/loading.tsx'
import { KeyList } from './keys.tsx'
import { PeopleLists, refresh } from './people.tsx'

const LISTS = [keys, workspaces, users]

/** Who can do what: API keys, workspaces with their members, and users. */
export function Access() {
  useEffect(() => void refresh(), [])
  const missing = LISTS.find(({ data }) => !data.value)
  return (
    <>
      <Stale of={LISTS} />
      {missing ? (
        <NotLoaded of={{ ...missing, refresh }} what="keys and people" />
      ) : (
        <div class="stack scroll page">
          <KeyList />
          <PeopleLists />
        </div>
      )}
    </>
  )
}
