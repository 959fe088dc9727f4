import { useMemo, useState } from 'preact/hooks'
import type { CaptureBody } from '../src/delivery-view.ts'
import { prettyJson } from '../src/pretty-json.ts'
import { textOf } from './bodies.ts'
import { Button, Tabs } from './controls.tsx'
import { count } from './format.ts'

/** How many characters of a text are shown at once. */
const SHOWN = 100_000

const VIEWS = ['JSON', 'As sent'] as const

export function BodyView({ body }: { readonly body: CaptureBody }) {
  const text = useMemo(() => textOf(body), [body])
  const json = useMemo(() => prettyJson(text), [text])
  const [view, setView] = useState<(typeof VIEWS)[number]>('JSON')
  const isJson = view === 'JSON' && json !== undefined
  return (
    <>
      {json !== undefined && <Tabs class="choice" names={VIEWS} shown={view} onShow={setView} />}
      {'base64' in body && <p class="quiet">Some of its bytes are no UTF-8.</p>}
      <Text key={view} text={isJson ? json : text} coloured={isJson} />
    </>
  )
}

/** A text; of JSON, the names and strings in their colours. */
export function Text({
  text,
  coloured = false,
}: {
  readonly text: string
  readonly coloured?: boolean
}) {
  const [all, setAll] = useState(false)
  const shown = all ? text : text.slice(0, SHOWN)
  const parts = useMemo(
    () => (coloured ? shown.split(/("(?:[^"\\]|\\.)*":?)/) : [shown]),
    [shown, coloured],
  )
  return (
    <>
      <pre class="text">
        {parts.map((part, index) =>
          index % 2 === 0 ? part : <i class={part.endsWith(':') ? 'key' : 'string'}>{part}</i>,
        )}
      </pre>
      {shown.length < text.length && (
        <Button onClick={() => setAll(true)}>
          Show the other {count(text.length - SHOWN)} characters
        </Button>
      )}
    </>
  )
}
