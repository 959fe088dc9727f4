import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Row } from '../src/row.ts'
import { Button } from './controls.tsx'
import { clock, count, DOTS, kindOf, milliseconds, resultText, statusText } from './format.ts'

interface Props {
  readonly rows: readonly Row[]
  readonly selected: number | undefined
  readonly onSelect: (n: number) => void
}

const HEIGHT = 36

/** How high the names of the columns are, which stay above the rows. */
const HEAD = 26

/** How many rows are in the document besides those in view, above and below. */
const OVERSCAN = 12

/** How many attempts a row shows. */
const ATTEMPTS = 5

/**
 * The newest deliveries are above. Only those in view are in the document. What somebody reads stays where it is while others come.
 */
export function DeliveryList({ rows, selected, onSelect }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const newest = useRef<number>(undefined)
  const [unseen, setUnseen] = useState(0)
  const [view, setView] = useState({ top: 0, height: 600 })
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

  const measure = () => {
    const { scrollTop: top = 0, clientHeight: height = 0 } = list.current ?? {}
    setView({ top, height })
    if (top < HEIGHT) setUnseen(0)
  }
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    if (list.current) observer.observe(list.current)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    const element = list.current
    if (element === null || at < 0) return
    const { scrollTop, clientHeight } = element
    const top = at * HEIGHT
    element.scrollTop = Math.min(top, Math.max(scrollTop, HEAD + top + HEIGHT - clientHeight))
    // Not where its place changes, because others come above it: whoever has scrolled away stays there.
  }, [selected])

  const from = Math.max(0, Math.floor(view.top / HEIGHT) - OVERSCAN)
  const to = Math.ceil((view.top + view.height) / HEIGHT) + OVERSCAN
  return (
    <div class="deliveries">
      <div
        class="rows"
        ref={list}
        onScroll={measure}
        role="listbox"
        aria-label="Deliveries"
        tabIndex={0}
        aria-activedescendant={at < 0 ? undefined : `delivery-${selected}`}
      >
        <div class="row head" aria-hidden="true">
          <span>Status</span>
          <span>Event</span>
          <span>Id</span>
          <span>Result</span>
          <span class="end">Took</span>
          <span class="end">Time</span>
        </div>
        <div role="presentation" style={{ height: `${rows.length * HEIGHT}px` }}>
          <div role="presentation" style={{ transform: `translateY(${from * HEIGHT}px)` }}>
            {rows.slice(from, to).map((row, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the list.
              <div
                key={row.n}
                id={`delivery-${row.n}`}
                class="row"
                role="option"
                tabIndex={-1}
                aria-selected={row.n === selected}
                aria-posinset={from + index + 1}
                aria-setsize={rows.length}
                onClick={() => onSelect(row.n)}
              >
                <DeliveryRow row={row} />
              </div>
            ))}
          </div>
        </div>
      </div>
      {unseen > 0 && (
        <Button class="unseen" onClick={() => list.current?.scrollTo({ top: 0 })}>
          ↑ {count(unseen)} new
        </Button>
      )}
    </div>
  )
}

function DeliveryRow({ row }: { readonly row: Row }) {
  const kind = kindOf(row)
  const { attempts, dots, status } = row
  const shown = dots.slice(-ATTEMPTS)
  return (
    <>
      <span>
        <b class={`pill ${kind}`}>{statusText(status, dots.at(-1))}</b>
      </span>
      <b>{row.event || row.line}</b>
      <span class="quiet mono">{row.id}</span>
      <span class={`result ${kind}`} title={resultText(row, Date.now())}>
        {attempts > 1 && (
          <>
            {attempts > shown.length && <small>{attempts - shown.length}+ </small>}
            {shown.map((dot) => (
              <i class={`dot ${dot}`} title={DOTS[dot]} />
            ))}
            <span class="hidden">{shown.map((dot) => DOTS[dot]).join(', ')}</span>{' '}
          </>
        )}
        {resultText(row, Date.now())}
      </span>
      <span class="end quiet">{milliseconds(row.ms)}</span>
      <span class="end quiet">{clock(row.at).slice(0, 8)}</span>
    </>
  )
}
