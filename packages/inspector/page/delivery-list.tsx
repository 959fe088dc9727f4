import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Row } from '../src/row.ts'
import { Button } from './controls.tsx'
import { clock, count, DOTS, kindOf, milliseconds, resultText, statusText } from './format.ts'
import { VirtualList } from './virtual-list.tsx'

interface Props {
  readonly rows: readonly Row[]
  readonly selected: number | undefined
  readonly onSelect: (n: number) => void
}

const HEIGHT = 36

/** How many attempts a row shows. */
const ATTEMPTS = 8

/** The newest deliveries are above. What somebody reads stays where it is while others come. */
export function DeliveryList({ rows, selected, onSelect }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const newest = useRef<number>(undefined)
  const [unseen, setUnseen] = useState(0)
  const at = rows.findIndex(({ n }) => n === selected)

  useLayoutEffect(() => {
    const before = rows.findIndex(({ n }) => n === newest.current)
    newest.current = rows[0]?.n
    const element = list.current
    if (!element || before <= 0 || (element.scrollTop < HEIGHT && at < 0)) return
    // Whoever has just sent one is looking at it.
    if (at === 0) return
    element.scrollTop += before * HEIGHT
    // A list that is not full does not scroll.
    if (element.scrollTop >= HEIGHT) setUnseen((count) => count + before)
  }, [rows])

  return (
    <div class="deliveries">
      <div class="row head" aria-hidden="true">
        <span>Status</span>
        <span>Event</span>
        <span>Id</span>
        <span>Result</span>
        <span class="end">Duration</span>
        <span class="end">Time</span>
      </div>
      <VirtualList
        listRef={list}
        class="rows"
        count={rows.length}
        height={HEIGHT}
        shown={at < 0 || selected === undefined ? undefined : { key: selected, index: at }}
        onScroll={(top) => top < HEIGHT && setUnseen(0)}
        attributes={{
          role: 'listbox',
          'aria-label': 'Deliveries',
          tabIndex: 0,
          'aria-activedescendant': at < 0 ? undefined : `delivery-${selected}`,
        }}
        row={(index) => {
          const row = rows[index]
          return (
            row && (
              <DeliveryRow
                key={row.n}
                row={row}
                position={index + 1}
                count={rows.length}
                selected={row.n === selected}
                onSelect={onSelect}
              />
            )
          )
        }}
      />
      {unseen > 0 && (
        <Button class="unseen" onClick={() => list.current?.scrollTo({ top: 0 })}>
          ↑ {count(unseen)} new
        </Button>
      )}
    </div>
  )
}

function DeliveryRow({
  row,
  position,
  count,
  selected,
  onSelect,
}: {
  readonly row: Row
  readonly position: number
  readonly count: number
  readonly selected: boolean
  readonly onSelect: (n: number) => void
}) {
  const kind = kindOf(row)
  const { event, note, id, instance, attempts, dots, status, ms, pinned } = row
  const shown = dots.slice(-ATTEMPTS)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the list.
    <div
      id={`delivery-${row.n}`}
      class="row"
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      aria-posinset={position}
      aria-setsize={count}
      onClick={() => onSelect(row.n)}
    >
      <span>
        <b class={`pill ${kind}`}>{statusText(status, dots.at(-1))}</b>
      </span>
      <span class="event">
        {pinned && <i class="pin" title="pinned" />}
        {event || row.line}
        {note !== undefined && <em class="note">{note}</em>}
      </span>
      <span class="quiet mono">
        {id.slice(0, 8)} {instance}
      </span>
      <span class={`result ${kind}`}>
        {attempts > 1 && (
          <span class="dots">
            {attempts > shown.length && <small>{attempts - shown.length}+</small>}
            {shown.map((dot) => (
              <i class={`dot ${dot}`} title={DOTS[dot]} />
            ))}
            <span class="hidden">{shown.map((dot) => DOTS[dot]).join(', ')}</span>
          </span>
        )}
        {resultText(row, Date.now())}
      </span>
      <span class="end quiet">{milliseconds(ms)}</span>
      <span class="end quiet">{clock(row.at)}</span>
    </div>
  )
}
