import type { Row } from '../src/row.ts'
import { Dots } from './dots.tsx'
import { clock, kindOf, milliseconds, verdictText } from './format.ts'
import { VirtualList } from './virtual-list.tsx'

interface Props {
  readonly rows: readonly Row[]
  readonly selected: number | undefined
  readonly onSelect: (n: number) => void
  readonly onOpen: () => void
}

const HEIGHT = 28

/** Keys, and by how many rows they go. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 20,
  PageUp: -20,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

export function DeliveryList({ rows, selected, onSelect, onOpen }: Props) {
  const at = rows.findIndex(({ n }) => n === selected)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter') onOpen()
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))]
    if (next) onSelect(next.n)
  }
  return (
    <div class="deliveries">
      <div class="row head" aria-hidden="true">
        <span>Time</span>
        <span>Event</span>
        <span>Instance</span>
        <span>Id</span>
        <span>Attempts</span>
        <span class="end">Status</span>
        <span class="end">Duration</span>
        <span>Verdict</span>
      </div>
      {rows.length === 0 ? (
        <p class="empty">No deliveries yet. What the service sends appears here at once.</p>
      ) : (
        <VirtualList
          class="rows"
          count={rows.length}
          height={HEIGHT}
          shown={at < 0 || selected === undefined ? undefined : { key: selected, index: at }}
          head={rows[0]?.n}
          attributes={{
            role: 'listbox',
            'aria-label': 'Deliveries',
            tabIndex: 0,
            'aria-activedescendant': at < 0 ? undefined : `delivery-${selected}`,
            onKeyDown,
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
  return (
    <div
      id={`delivery-${row.n}`}
      class={`row ${kindOf(row)}`}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      aria-posinset={position}
      aria-setsize={count}
      onClick={() => onSelect(row.n)}
      onKeyDown={() => {}}
    >
      <span class="quiet">{clock(row.at)}</span>
      <span class="event">
        {row.event || '–'}
        {row.note !== undefined && <em class="note">{row.note}</em>}
      </span>
      <span class="quiet">{row.instance}</span>
      <span class="quiet mono">{row.id.slice(0, 8)}</span>
      <Dots dots={row.dots} attempts={row.attempts} />
      <span class="end status">{row.status ?? (row.dots.at(-1) === 'none' ? 'none' : '')}</span>
      <span class="end quiet">{milliseconds(row.ms)}</span>
      <span class={`verdict ${verdictClass(row)}`}>{verdictText(row)}</span>
    </div>
  )
}

function verdictClass({ verdict, dots }: Row): string {
  if (dots.includes('wrong')) return 'wrong'
  return verdict === undefined ? '' : verdict === 'valid' ? 'ok' : 'no'
}
