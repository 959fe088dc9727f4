import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { AttemptView } from '../src/delivery-view.ts'
import type { Row } from '../src/row.ts'
import { post, search, send } from './api.ts'
import { Compose } from './compose.tsx'
import { Button, Problem, Select } from './controls.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { Detail } from './detail.tsx'
import { Empty } from './empty.tsx'
import { bytes, count, kindOf } from './format.ts'
import { type Pane, useRoute } from './route.ts'
import { connect, type Snapshot, useSnapshot } from './store.ts'
import { Strip } from './strip.tsx'

const KEYS = 'j k select · Enter open · Esc close · / search · n new · r resend'

/** Keys of the list, and by how many rows they go. */
const STEPS: Readonly<Record<string, number>> = {
  j: 1,
  ArrowDown: 1,
  k: -1,
  ArrowUp: -1,
  PageDown: 15,
  PageUp: -15,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

const PANES: Readonly<Record<Pane, string>> = {
  delivery: 'Delivery',
  new: 'New delivery',
}

const REPLIES: Readonly<Record<string, string>> = {
  normal: 'Respond: as verified',
  500: 'Respond: 500',
  410: 'Respond: 410',
  slow: 'Respond: after 15 s',
}

export function App() {
  const { rows, state, connected } = useSnapshot()
  const [{ pane, n: selected, attempt, tab, text = '', event = '', show }, go] = useRoute()
  const [source, setSource] = useState<AttemptView>()
  const [problem, setProblem] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(connect, [])

  const found = useFound(text, state?.counts.total ?? 0)
  const ofEvent = useMemo(
    () => (text || event ? rows.filter((row) => isWanted(row, text, event, found)) : rows),
    [rows, text, event, found],
  )
  const shown = useMemo(
    () => (show === undefined ? ofEvent : ofEvent.filter((row) => kindOf(row) === show)),
    [ofEvent, show],
  )
  const events = useMemo(() => [...new Set(rows.map((row) => row.event))].sort(), [rows])
  const row = rows.find(({ n }) => n === selected)

  const select = (n: number) => go({ pane: 'delivery', n, attempt: undefined })
  const act = (command: object) => {
    setProblem('')
    send(command).then(select, (error: Error) => setProblem(error.message))
  }
  const compose = (from?: AttemptView) => {
    setSource(from)
    go({ pane: 'new', n: from?.n, attempt: undefined })
  }
  const close = () => {
    go({ pane: undefined })
    document.querySelector<HTMLElement>('.rows')?.focus()
  }

  useEffect(() => {
    const onKey = (pressed: KeyboardEvent) => {
      const { target, key } = pressed
      const element = target instanceof HTMLElement ? target : document.body
      const typing = element.closest('input, textarea, select')
      if (key === 'Escape') return typing instanceof HTMLInputElement ? typing.blur() : close()
      if (typing || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return
      const step = STEPS[key]
      // In the pane, they scroll it.
      const isFree = key.length === 1 || !element.closest('.pane, nav, .strip, .toolbar')
      const actions: Readonly<Record<string, () => void>> = {
        '/': () => field.current?.focus(),
        n: () => compose(),
        r: () => row && act({ from: { n: row.n, attempt: row.attempts }, sign: canSign(row) }),
      }
      if (step !== undefined && isFree) {
        const at = shown.findIndex(({ n }) => n === selected)
        const next = shown[Math.max(0, Math.min(shown.length - 1, at + step))]
        if (next) select(next.n)
        document.querySelector<HTMLElement>('.rows')?.focus()
      } else if (key === 'Enter' && isFree && !element.closest('button, a')) {
        if (row) select(row.n)
        document.querySelector<HTMLElement>('.pane')?.focus()
      } else if (actions[key]) actions[key]()
      else return
      pressed.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })

  const canSign = ({ target }: Row) =>
    state?.targets.find(({ id }) => id === target)?.canSign ?? false
  const report = (error: Error) => setProblem(error.message)
  return (
    <div class={`app ${pane ? 'open' : ''}`}>
      <header>
        <h1>Webhook inspector</h1>
        <span class="targets">{state?.targets.map(({ url }) => url).join('  ')}</span>
        <span class={`connection ${connected ? '' : 'lost'}`} role="status">
          {connected ? 'live' : 'connecting …'}
        </span>
        {state?.reply && (
          <Select
            label="Response of listen to verified deliveries"
            value={state.reply}
            options={Object.entries(REPLIES)}
            onSelect={(reply) => post('reply', { reply }).catch(report)}
          />
        )}
        <nav aria-label="Tools">
          <Button class="primary" aria-pressed={pane === 'new'} onClick={() => compose()}>
            New delivery
          </Button>
        </nav>
      </header>
      <main>
        <div class="list">
          <Strip rows={ofEvent} show={show} onShow={(kind) => go({ show: kind })} />
          <search class="toolbar">
            <input
              ref={field}
              type="search"
              aria-label="Search"
              placeholder="Search ids, headers and bodies"
              value={text}
              onInput={({ currentTarget }) => go({ text: currentTarget.value })}
            />
            <Select
              label="Event"
              value={event}
              options={[['', 'All events'], ...events]}
              onSelect={(name) => go({ event: name })}
            />
            <Button disabled={rows.length === 0} onClick={() => post('clear').catch(report)}>
              Clear
            </Button>
          </search>
          {!pane && <Problem text={problem} />}
          {shown.length > 0 ? (
            <DeliveryList
              key={`${text} ${event} ${show}`}
              rows={shown}
              selected={pane === 'delivery' ? selected : undefined}
              onSelect={select}
            />
          ) : rows.length > 0 ? (
            <p class="empty">
              No delivery matches.{' '}
              <Button onClick={() => go({ text: undefined, event: undefined, show: undefined })}>
                Show all
              </Button>
            </p>
          ) : (
            <Empty
              key={state?.targets.length}
              state={state}
              onSent={select}
              onProblem={setProblem}
            />
          )}
          <footer>
            <span>{KEYS}</span>
            {state && <span class="end">{memoryText(state)}</span>}
          </footer>
        </div>
        {pane && (
          <section class="pane" tabIndex={-1} aria-label={PANES[pane]}>
            <Button class="close plain" onClick={close}>
              <span class="wide">
                <span aria-hidden="true">✕</span>
                <span class="hidden">Close</span>
              </span>
              <span class="narrow">‹ All deliveries</span>
            </Button>
            <Problem text={problem} />
            {pane === 'delivery' &&
              (row ? (
                <Detail
                  key={row.n}
                  row={row}
                  number={attempt}
                  tab={tab}
                  tamperings={state?.tamperings ?? []}
                  onGo={go}
                  onSend={act}
                  onEdit={compose}
                />
              ) : (
                state && <p class="empty">This delivery is no longer kept.</p>
              ))}
            {pane === 'new' && state && (
              <Compose key={source?.n} source={source} state={state} onSend={act} />
            )}
          </section>
        )}
      </main>
    </div>
  )
}

/** How long somebody types before the server searches, in milliseconds. */
const PAUSE = 200

/** Which deliveries have a text in their headers or bodies, by the server; looks again when others come. */
function useFound(text: string, total: number): ReadonlySet<number> | undefined {
  const [found, setFound] = useState<ReadonlySet<number>>()
  useEffect(() => {
    if (text.trim() === '') return setFound(undefined)
    let current = true
    const timer = setTimeout(() => {
      search(text.trim()).then(
        (numbers) => current && setFound(numbers),
        () => {},
      )
    }, PAUSE)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [text, total])
  return found
}

function isWanted(
  row: Row,
  text: string,
  event: string,
  found: ReadonlySet<number> | undefined,
): boolean {
  if (event !== '' && row.event !== event) return false
  if (text.trim() === '' || found?.has(row.n)) return true
  const { id, instance, note = '', verdict = '', status = '' } = row
  const all = `${row.event} ${id} ${instance} ${note} ${verdict} ${status}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

/** Says what is no longer there. */
function memoryText({ counts }: NonNullable<Snapshot['state']>): string {
  const { total, first, bytes: kept } = counts
  const dropped = total > 0 ? first - 1 : 0
  return dropped > 0 ? `${bytes(kept)} · ${count(dropped)} older ones dropped` : bytes(kept)
}
