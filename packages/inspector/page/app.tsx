import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { AttemptView } from '../src/delivery-view.ts'
import type { Row } from '../src/row.ts'
import { post, search, send } from './api.ts'
import { Compose } from './compose.tsx'
import { Button, Choice, Problem } from './controls.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { Banner, Detail } from './detail.tsx'
import { Empty } from './empty.tsx'
import { bytes, count, DOT_NAMES, DOTS, KINDS, kindOf } from './format.ts'
import { Keys, useKeys } from './keys.tsx'
import { useLatest } from './latest.ts'
import { useRoute } from './route.ts'
import { connect, type Snapshot, useSnapshot } from './store.ts'

const REPLIES = [
  ['normal', 'success'],
  ['500', '500'],
  ['410', '410'],
  ['slow', 'success after 15 s'],
] as const

/** From how many deliveries that ended alike their cause is shown above them. */
const MANY = 3

export function App() {
  const { rows, state, connected } = useSnapshot()
  const isLost = state !== undefined && !connected
  const [route, go] = useRoute()
  const { attempt, tab, text = '', show } = route
  const selected = route.n === undefined ? undefined : Number(route.n)
  const pane = selected !== undefined ? 'Delivery' : route.new && 'New delivery'
  const [source, setSource] = useState<AttemptView>()
  const [problem, setProblem] = useState('')
  const sends = useLatest()
  const field = useRef<HTMLInputElement>(null)
  const help = useRef<HTMLDialogElement>(null)
  useEffect(connect, [])

  const found = useFound(text.trim(), state?.counts.total ?? 0)
  const matching = useMemo(
    () => (found ? rows.filter(({ n }) => found.has(n)) : rows),
    [rows, found],
  )
  const shown = useMemo(
    () => (show === undefined ? matching : matching.filter((row) => kindOf(row) === show)),
    [matching, show],
  )
  const row = rows.find(({ n }) => n === selected)
  const [newest] = rows
  const marks = useMemo(() => {
    // Of a single attempt, no mark is shown.
    const shown = new Set(rows.flatMap(({ dots }) => (dots.length > 1 ? dots : [])))
    return DOT_NAMES.filter((dot) => shown.has(dot))
  }, [rows])
  const isAlike = newest && rows.length >= MANY && rows.every((row) => isProblemOf(row, newest))

  const open = (change: { readonly n?: string; readonly new?: string }) => {
    // Whoever goes elsewhere is not taken to what was sent before.
    sends.drop()
    go({ n: undefined, attempt: undefined, new: undefined, ...change })
  }
  const select = (n: number) => open({ n: `${n}` })
  const act = (command: object) => {
    setProblem('')
    // What goes wrong is said in any case.
    sends.ask(
      () => send(command).catch(report),
      (n) => n && select(n),
    )
  }
  const compose = (from?: AttemptView) => {
    setSource(from)
    open({ new: '1' })
  }
  const close = () => {
    open({})
    document.querySelector<HTMLElement>('.rows')?.focus()
  }

  const clear = () => {
    const all = rows.length === 1 ? 'the 1 delivery' : `all ${count(rows.length)} deliveries`
    if (!confirm(`Delete ${all}? This cannot be undone.`)) return
    post('clear').then(() => open({}), report)
  }

  const canSign = ({ target }: Row) =>
    state?.targets.find(({ id }) => id === target)?.canSign ?? false
  const report = (error: Error) => setProblem(error.message)
  useKeys(help, field, {
    close,
    clear: () => go({ text: undefined }),
    move(by) {
      const at = shown.findIndex(({ n }) => n === selected)
      const next = shown[Math.max(0, Math.min(shown.length - 1, at + by))]
      if (next) select(next.n)
    },
    enter: () => row && select(row.n),
    compose: () => isLost || compose(),
    resend: () =>
      row && !isLost && act({ from: { n: row.n, attempt: row.attempts }, sign: canSign(row) }),
  })
  return (
    <div class={`app ${pane ? 'open' : ''}`}>
      <header>
        <h1>
          <svg viewBox="2 6 28 20" width="21" height="15" aria-hidden="true">
            <rect x="2" y="6" width="28" height="20" rx="4" fill="#0b7a55" />
            <path d="M9 16l5 5 9-10" fill="none" stroke="#fff" stroke-width="3" />
          </svg>{' '}
          Webhook inspector
        </h1>
        <span class="targets mono">
          {state?.targets.map(({ url }) => url).join('  ')}
          {state?.forwardsTo && ` → ${state.forwardsTo}`}
        </span>
        <span class={`connection ${connected ? '' : 'lost'}`} role="status">
          {connected ? 'live' : isLost ? 'stopped' : 'connecting …'}
        </span>
        {state?.reply && (
          <Choice
            label="Respond with"
            value={state.reply}
            options={REPLIES}
            onSelect={(reply) => post('reply', { reply }).catch(report)}
          />
        )}
        <nav aria-label="Tools">
          <Button
            class="primary"
            disabled={isLost}
            aria-pressed={route.new === '1'}
            onClick={() => compose()}
          >
            New delivery
          </Button>
        </nav>
      </header>
      {isLost && (
        <p class="problem stopped" role="alert">
          The command has stopped: below is everything up to then. Start it again, and open the
          address that it prints{state.command ? ': ' : '.'}
          {state.command && <code>{state.command}</code>}
        </p>
      )}
      <main>
        <div class="list">
          <search class="toolbar">
            <Filters rows={matching} show={show} onShow={(kind) => go({ show: kind })} />
            <input
              ref={field}
              type="search"
              aria-label="Search"
              placeholder="Search events, ids, headers and bodies"
              value={text}
              onInput={({ currentTarget }) => go({ text: currentTarget.value })}
            />
          </search>
          {!pane && <Problem text={problem} />}
          {!pane && isAlike && <Banner row={newest} count={rows.length} />}
          {shown.length > 0 ? (
            <DeliveryList
              key={`${text} ${show}`}
              rows={shown}
              selected={selected}
              onSelect={select}
            />
          ) : rows.length > 0 ? (
            <p class="empty">
              No delivery matches.{' '}
              <Button onClick={() => go({ text: undefined, show: undefined })}>Show all</Button>
            </p>
          ) : (
            state && (
              <Empty key={state.targets.length} state={state} onSend={act} onProblem={report} />
            )
          )}
          <footer>
            {marks.map((dot) => (
              <span>
                <i class={`dot ${dot}`} /> {DOTS[dot]}
              </span>
            ))}
            <Button class="plain keys" onClick={() => help.current?.showModal()}>
              ? Keys
            </Button>
            {state && <span class="end">{memoryText(state)}</span>}
            <Button class="plain" disabled={rows.length === 0 || isLost} onClick={clear}>
              Delete all
            </Button>
          </footer>
        </div>
        {pane && (
          <section class="pane" tabIndex={-1} aria-label={pane}>
            <Button class="close plain" onClick={close}>
              <span class="wide">Close</span>
              <span class="narrow">‹ All deliveries</span>
            </Button>
            <Problem text={problem} />
            {selected !== undefined &&
              (row ? (
                <Detail
                  key={row.n}
                  row={row}
                  number={attempt === undefined ? undefined : Number(attempt)}
                  tab={tab}
                  tamperings={state?.tamperings ?? []}
                  isLost={isLost}
                  onGo={go}
                  onSend={act}
                  onEdit={compose}
                />
              ) : (
                state && <p class="empty">This delivery is no longer kept.</p>
              ))}
            {selected === undefined && state && (
              <Compose key={source?.n} source={source} state={state} isLost={isLost} onSend={act} />
            )}
          </section>
        )}
      </main>
      <Keys dialog={help} />
    </div>
  )
}

/** How many deliveries ended how, each a filter. */
function Filters({
  rows,
  show,
  onShow,
}: {
  readonly rows: readonly Row[]
  readonly show: string | undefined
  readonly onShow: (kind: string | undefined) => void
}) {
  const counts = useMemo(() => {
    const counted = { good: 0, right: 0, bad: 0, pending: 0 }
    for (const row of rows) counted[kindOf(row)] += 1
    return counted
  }, [rows])
  return (
    <fieldset class="counts">
      <legend class="hidden">Show</legend>
      <Button aria-pressed={show === undefined} onClick={() => onShow(undefined)}>
        All <b class="shown">{count(rows.length)}</b>
      </Button>
      {(['good', 'right', 'bad', 'pending'] as const).map((kind) => (
        <Button
          class={kind}
          hidden={counts[kind] === 0 && show !== kind}
          aria-pressed={show === kind}
          onClick={() => onShow(show === kind ? undefined : kind)}
        >
          {KINDS[kind]} <b>{count(counts[kind])}</b>
        </Button>
      ))}
    </fieldset>
  )
}

/** Whether a delivery is a problem for the reason for which another one is. */
function isProblemOf(row: Row, other: Row): boolean {
  const { status, verdict } = row
  return kindOf(row) === 'bad' && status === other.status && verdict === other.verdict
}

/** How long somebody types before the server searches, in milliseconds. */
const PAUSE = 200

/** Which deliveries have a text in their headers or bodies, by the server; looks again when others come. */
function useFound(text: string, total: number): ReadonlySet<number> | undefined {
  const [found, setFound] = useState<ReadonlySet<number>>()
  const searches = useLatest()
  useEffect(() => {
    if (text === '') return setFound(undefined)
    const timer = setTimeout(() => searches.ask((signal) => search(text, signal), setFound), PAUSE)
    return () => {
      clearTimeout(timer)
      searches.drop()
    }
  }, [text, total])
  return found
}

/** Says what is no longer there. */
function memoryText({ counts }: NonNullable<Snapshot['state']>): string {
  const { dropped, bytes: kept } = counts
  return dropped > 0 ? `${bytes(kept)} · ${count(dropped)} older ones dropped` : bytes(kept)
}
