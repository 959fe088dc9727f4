import { useMemo, useState } from 'preact/hooks'
import type { CaptureBody } from '../src/delivery-view.ts'
import { hexLine, NumberText, parseJson, toBody } from './bodies.ts'
import { Button } from './controls.tsx'
import { count } from './format.ts'
import { VirtualList } from './virtual-list.tsx'

type View = 'JSON' | 'Text' | 'Hex'

/** How many characters of a text, and how many members of a value, are shown at once. */
const SHOWN = 100_000
const MEMBERS = 200

export function BodyView({ body }: { readonly body: CaptureBody }) {
  const { bytes, text } = useMemo(() => toBody(body), [body])
  const json = useMemo(() => (text === undefined ? undefined : parseJson(text)), [text])
  const views: readonly View[] = [
    ...(json ? (['JSON'] as const) : []),
    ...(text === undefined ? [] : (['Text'] as const)),
    'Hex',
  ]
  const [chosen, setChosen] = useState<View>()
  const view = chosen && views.includes(chosen) ? chosen : views[0]
  return (
    <div class="body">
      <div class="choice">
        {views.map((name) => (
          <Button aria-pressed={name === view} onClick={() => setChosen(name)}>
            {name}
          </Button>
        ))}
      </div>
      {view === 'JSON' && json && (
        <div class="tree">
          <Value name={undefined} value={json.value} depth={0} />
        </div>
      )}
      {view === 'Text' && <Text text={text ?? ''} />}
      {view === 'Hex' && <Hex bytes={bytes} />}
    </div>
  )
}

export function Text({ text }: { readonly text: string }) {
  const [all, setAll] = useState(false)
  const cut = !all && text.length > SHOWN
  return (
    <>
      <pre class="text">{cut ? text.slice(0, SHOWN) : text}</pre>
      {cut && (
        <Button onClick={() => setAll(true)}>
          Show the other {count(text.length - SHOWN)} characters
        </Button>
      )}
    </>
  )
}

function Hex({ bytes }: { readonly bytes: Uint8Array }) {
  return (
    <VirtualList
      class="hex"
      count={Math.ceil(bytes.length / 16)}
      height={18}
      attributes={{ tabIndex: 0, role: 'region', 'aria-label': 'Bytes' }}
      row={(line) => {
        const { offset, hex, text } = hexLine(bytes, line)
        return (
          <div class="line">
            <span class="quiet">{offset}</span> {hex.join(' ').padEnd(47)} <span>{text}</span>
          </div>
        )
      }}
    />
  )
}

function Value({
  name,
  value,
  depth,
}: {
  readonly name: string | undefined
  readonly value: unknown
  readonly depth: number
}) {
  const [open, setOpen] = useState(depth < 4)
  const [shown, setShown] = useState(MEMBERS)
  const label = name !== undefined && <span class="key">{name}: </span>
  if (typeof value !== 'object' || value === null || value instanceof NumberText) {
    return (
      <div class="leaf">
        {label}
        <span class={`value ${kindOfValue(value)}`}>
          {value instanceof NumberText ? value.text : JSON.stringify(value)}
        </span>
      </div>
    )
  }
  const members = Object.entries(value)
  const [start, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return (
    <div class="branch">
      <Button class="plain toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? '▾' : '▸'} {label}
        <span class="quiet">{open ? start : `${start} ${members.length} ${end}`}</span>
      </Button>
      {open && (
        <div class="members">
          {members.slice(0, shown).map(([key, member]) => (
            <Value
              key={key}
              name={Array.isArray(value) ? key : JSON.stringify(key)}
              value={member}
              depth={depth + 1}
            />
          ))}
          {members.length > shown && (
            <Button onClick={() => setShown(shown + MEMBERS)}>
              {count(members.length - shown)} more
            </Button>
          )}
          <span class="quiet">{end}</span>
        </div>
      )}
    </div>
  )
}

function kindOfValue(value: unknown): string {
  if (value instanceof NumberText) return 'number'
  return value === null ? 'null' : typeof value
}
