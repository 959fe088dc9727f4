import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { AttemptView } from '../src/delivery-view.ts'
import type { Row } from '../src/row.ts'
import { send } from './api.ts'
import { Charts } from './charts.tsx'
import { Compare } from './compare.tsx'
import { Compose } from './compose.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { Detail } from './detail.tsx'
import { Doctor } from './doctor.tsx'
import { bytes, count, type Kind, kindOf } from './format.ts'
import { Scenario } from './scenario.tsx'
import { connect, type Snapshot, useSnapshot } from './store.ts'
import { nextTheme, startTheme, type Theme } from './theme.ts'

export type Pane = 'delivery' | 'compose' | 'scenario' | 'doctor' | 'compare'

const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  'All outcomes': ['pending', 'good', 'right', 'bad'],
  Accepted: ['good'],
  'Refused forgeries': ['right'],
  Problems: ['bad'],
  'Under way': ['pending'],
}

const KEYS = '/ filter · ↑↓ or j k select · Enter open · p pause · n new · r send again · Esc close'

export function App() {
  const live = useSnapshot()
  const [paused, setPaused] = useState<Snapshot>()
  const [selected, setSelected] = useState<number>()
  const [pane, setPane] = useState<Pane>()
  const [source, setSource] = useState<AttemptView>()
  const [marked, setMarked] = useState<AttemptView>()
  const [text, setText] = useState('')
  const [event, setEvent] = useState('')
  const [kind, setKind] = useState('All outcomes')
  const [theme, setTheme] = useState<Theme>(startTheme)
  const [problem, setProblem] = useState('')
  const filter = useRef<HTMLInputElement>(null)
  useEffect(connect, [])

  const { rows } = paused ?? live
  const shown = useMemo(
    () => filtered(rows, text, event, KINDS[kind] ?? []),
    [rows, text, event, kind],
  )
  const events = useMemo(() => [...new Set(rows.map((row) => row.event))].sort(), [rows])
  const row = live.rows.find(({ n }) => n === selected)

  const select = (n: number) => {
    setSelected(n)
    setPane((before) => (before === 'compare' ? before : 'delivery'))
  }
  const act = (command: object) => {
    setProblem('')
    send(command).then(select, (error: Error) => setProblem(error.message))
  }
  const compose = (from?: AttemptView) => {
    setSource(from)
    setPane('compose')
  }

  useEffect(() => {
    const onKey = (pressed: KeyboardEvent) => {
      const { target } = pressed
      const typing =
        target instanceof HTMLElement && target.closest('input, textarea, select, .editor')
      if (pressed.key === 'Escape') {
        if (typing) return typing instanceof HTMLInputElement ? typing.blur() : undefined
        return setPane(undefined)
      }
      if (typing || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return
      const actions: Readonly<Record<string, () => void>> = {
        '/': () => filter.current?.focus(),
        p: () => setPaused((before) => (before ? undefined : live)),
        n: () => compose(),
        r: () => row && act({ from: { n: row.n, attempt: row.attempts } }),
      }
      const action = actions[pressed.key]
      if (action === undefined) return
      pressed.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })

  const { state } = live
  const toggle = (name: Pane) => setPane(pane === name ? undefined : name)
  return (
    <div class={`app ${pane ? 'split' : ''}`}>
      <header>
        <h1>Webhook inspector</h1>
        <nav aria-label="Tools">
          <button type="button" aria-pressed={pane === 'compose'} onClick={() => compose()}>
            New delivery
          </button>
          {state?.scenario && (
            <button
              type="button"
              aria-pressed={pane === 'scenario'}
              onClick={() => toggle('scenario')}
            >
              Scenario{state.scenario.running && <i class="live" title="running" />}
            </button>
          )}
          {state?.doctor && (
            <button type="button" aria-pressed={pane === 'doctor'} onClick={() => toggle('doctor')}>
              Doctor{state.doctor.running && <i class="live" title="running" />}
            </button>
          )}
        </nav>
        <span class="targets">{state?.targets.map(({ url }) => url).join('  ')}</span>
        <span class={`connection ${live.connected ? '' : 'lost'}`} role="status">
          {live.connected ? 'live' : 'connecting …'}
        </span>
        <button type="button" class="plain" onClick={() => setTheme(nextTheme(theme))}>
          Theme: {theme}
        </button>
      </header>
      <main>
        <Charts rows={rows} />
        <search class="toolbar">
          <input
            ref={filter}
            type="search"
            aria-label="Filter by text"
            placeholder="Filter: id, instance, reason, status …"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <select
            aria-label="Event"
            value={event}
            onChange={({ currentTarget }) => setEvent(currentTarget.value)}
          >
            <option value="">All events</option>
            {events.map((name) => (
              <option value={name}>{name}</option>
            ))}
          </select>
          <select
            aria-label="Outcome"
            value={kind}
            onChange={({ currentTarget }) => setKind(currentTarget.value)}
          >
            {Object.keys(KINDS).map((name) => (
              <option>{name}</option>
            ))}
          </select>
          <button
            type="button"
            aria-pressed={paused !== undefined}
            onClick={() => setPaused(paused ? undefined : live)}
          >
            {paused ? `Resume (${count(live.rows.length ? newer(live, paused) : 0)} new)` : 'Pause'}
          </button>
          <span class="shown">
            {shown.length === rows.length
              ? `${count(rows.length)} deliveries`
              : `${count(shown.length)} of ${count(rows.length)}`}
          </span>
        </search>
        <DeliveryList
          rows={shown}
          selected={selected}
          onSelect={select}
          onOpen={() => document.querySelector<HTMLElement>('.pane')?.focus()}
        />
        <footer>
          <span>{KEYS}</span>
          {state && <span class="end">{memoryText(state)}</span>}
        </footer>
      </main>
      {pane && (
        <aside class="pane" tabIndex={-1} aria-label={PANES[pane]}>
          <button
            type="button"
            class="close plain"
            aria-label="Close"
            onClick={() => setPane(undefined)}
          >
            ✕
          </button>
          {problem && (
            <p class="problem" role="alert">
              {problem}
            </p>
          )}
          {pane === 'delivery' && row && (
            <Detail
              key={row.n}
              row={row}
              tamperings={state?.tamperings ?? []}
              marked={marked?.n}
              onSend={act}
              onEdit={compose}
              onCompare={(view) => {
                if (marked === undefined || marked.n === view.n) return setMarked(view)
                setPane('compare')
              }}
            />
          )}
          {pane === 'delivery' && !row && (
            <p class="empty">This delivery was dropped to save memory.</p>
          )}
          {pane === 'compose' && state && (
            <Compose key={source?.n} source={source} state={state} onSend={act} />
          )}
          {pane === 'scenario' && state?.scenario && (
            <Scenario scenario={state.scenario} faults={state.faults} />
          )}
          {pane === 'doctor' && state?.doctor && (
            <Doctor doctor={state.doctor} targets={state.targets} />
          )}
          {pane === 'compare' && marked && selected !== undefined && (
            <Compare
              first={marked}
              second={selected}
              onEnd={() => {
                setMarked(undefined)
                setPane('delivery')
              }}
            />
          )}
        </aside>
      )}
    </div>
  )
}

const PANES: Readonly<Record<Pane, string>> = {
  delivery: 'Delivery',
  compose: 'New delivery',
  scenario: 'Scenario',
  doctor: 'Doctor',
  compare: 'Comparison',
}

function filtered(
  rows: readonly Row[],
  text: string,
  event: string,
  kinds: readonly Kind[],
): readonly Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0 && event === '' && kinds.length === 4) return rows
  return rows.filter((row) => {
    if (event !== '' && row.event !== event) return false
    if (!kinds.includes(kindOf(row))) return false
    const { id, instance, note = '', verdict = '', status = '', outcome } = row
    const all =
      `${row.event} ${id} ${instance} ${note} ${verdict} ${status} ${outcome}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

function newer(live: Snapshot, paused: Snapshot): number {
  return (live.state?.counts.total ?? 0) - (paused.state?.counts.total ?? 0)
}

/** Says what is no longer there. */
function memoryText({ counts }: NonNullable<Snapshot['state']>): string {
  const { total, first, dropped, bytes: kept } = counts
  return [
    `${bytes(kept)} of bodies`,
    ...(dropped > 0 ? [`the oldest ${count(dropped)} bodies were dropped`] : []),
    ...(first > 1 && total > 0 ? [`${count(first - 1)} older deliveries were dropped`] : []),
  ].join(' · ')
}
