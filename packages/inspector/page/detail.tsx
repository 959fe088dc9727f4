import type { Header } from '@webhook-receiver/emulator/internal'
import { useEffect, useState } from 'preact/hooks'
import type { AttemptView } from '../src/delivery-view.ts'
import type { State } from '../src/inspector.ts'
import type { Row } from '../src/row.ts'
import { captureAddress, loadAttempt } from './api.ts'
import { BodyView, Text } from './body-view.tsx'
import { conclude } from './conclusion.ts'
import { Button, Menu, Problem, Tabs, useCopy } from './controls.tsx'
import { testCode } from './copies.ts'
import {
  bytes,
  changeText,
  clock,
  marked,
  milliseconds,
  resultText,
  statusText,
  wrongIn,
} from './format.ts'
import { useLatest } from './latest.ts'
import { Signature } from './signature.tsx'

interface Props {
  readonly row: Row
  readonly number: number | undefined
  readonly tab: string | undefined
  readonly tamperings: State['tamperings']
  /** Whether the command has stopped, so that nothing can be sent. */
  readonly isLost: boolean
  readonly onGo: (change: { readonly tab?: string; readonly attempt?: string }) => void
  readonly onSend: (command: object) => void
  readonly onEdit: (view: AttemptView) => void
}

const TABS = ['Request', 'Signature', 'Response'] as const

/** How many attempts are listed. */
const ATTEMPTS = 40

export function Detail({ row, number, tab: asked, ...props }: Props) {
  const [view, problem] = useAttempt(row, number)
  if (problem) return <Problem text={problem} />
  if (view === undefined) return <p class="empty">Loading …</p>
  const { attempt, all } = view
  const isOpen = attempt.verdict?.valid === false ? 'Signature' : 'Request'
  const tab = TABS.find((name) => name === asked) ?? isOpen
  return (
    <>
      <h2>{view.event || view.line}</h2>
      <p class="facts">
        #{view.n} · {clock(attempt.at)} · {bytes(attempt.size)} · {view.id || view.url}
        {view.note && ` · ${view.note}`}
      </p>
      <Conclusion view={view} />
      <Actions view={view} {...props} />
      {all.length > 1 && (
        <ol class="attempts" aria-label="Attempts">
          {all.slice(-ATTEMPTS).map((one) => (
            <li>
              <Button
                class="plain"
                aria-pressed={one.number === attempt.number}
                onClick={() => props.onGo({ attempt: `${one.number}` })}
              >
                <b class={`pill ${one.dot}`}>{statusText(one.status, one.dot)}</b>
                <span>Attempt {one.number}</span>
                <span class="quiet">
                  {clock(one.at)} {milliseconds(one.ms)} {one.error ?? marked(one.dot)}
                  {one.note && `, ${one.change ? changeText(one.change) : one.note}`}
                </span>
              </Button>
            </li>
          ))}
        </ol>
      )}
      {row.retryAt !== undefined && <p class="quiet">{resultText(row, Date.now())}</p>}
      <Tabs class="tabs" names={TABS} shown={tab} onShow={(name) => props.onGo({ tab: name })} />
      <div>
        {tab === 'Request' && <Request view={view} />}
        {tab === 'Signature' && <Signature view={view} />}
        {tab === 'Response' && <Response view={view} />}
      </div>
    </>
  )
}

/** Of an attempt that was wrongly accepted, or else the newest, unless another one is asked for. Loads it again when the row changes. */
function useAttempt(row: Row, number = wrongIn(row)) {
  const [view, setView] = useState<AttemptView>()
  const [problem, setProblem] = useState('')
  const attempts = useLatest()
  useEffect(() => {
    setProblem('')
    attempts.ask(
      (signal) => loadAttempt(row.n, number, signal),
      setView,
      ({ message }) => setProblem(message),
    )
  }, [row, number])
  return [view, problem] as const
}

/** What all deliveries have in common is said once, by the newest of them. */
export function Banner({ row, count }: { readonly row: Row; readonly count: number }) {
  const [view] = useAttempt(row)
  return view ? <Conclusion view={view} many={`${count} of ${count}`} /> : null
}

/** One sentence and the fix; the rest is behind it. */
function Conclusion({ view, many }: { readonly view: AttemptView; readonly many?: string }) {
  const { dot, status, verdict, findings } = view.attempt
  const { sentence, why, fix, next } = conclude(view)
  return (
    <div class={`conclusion ${dot}`} role="status">
      <p>
        <b class={`pill ${dot}`}>{statusText(status, dot)}</b>{' '}
        <strong>
          {many && `${many}: `}
          {sentence}
        </strong>
      </p>
      {why && <p>{why}</p>}
      {(fix ?? next) && (
        <p>
          <b>{fix ? 'Fix' : 'Next'}:</b> {fix ?? next}
        </p>
      )}
      {verdict?.valid === false && !many && (
        <details>
          <summary>
            Details: <code>{verdict.reason}</code>
          </summary>
          <p>{verdict.detail}</p>
          {findings?.map(({ code, certainty, message }) => (
            <p>
              <code>{code}</code> ({certainty}): {message}
            </p>
          ))}
          {findings === null && <p>The body is too large to search for the cause.</p>}
        </details>
      )}
    </div>
  )
}

function Actions({
  view,
  tamperings,
  isLost,
  onSend,
  onEdit,
}: Pick<Props, 'tamperings' | 'isLost' | 'onSend' | 'onEdit'> & { readonly view: AttemptView }) {
  const [done, copy] = useCopy()
  const { n, id, canSign: sign, attempt } = view
  const { body, headers } = attempt
  const from = { n, attempt: attempt.number }
  const address = captureAddress(n, attempt.number)
  const copied = (name: string, text: () => string) => ({
    text: name,
    onSelect: () => copy(name, text()),
  })
  return (
    <div class="actions">
      <Button
        class="primary"
        disabled={isLost}
        title={sign ? 'With the timestamp of now, signed' : 'The same bytes and headers'}
        onClick={() => onSend({ from, sign })}
      >
        Resend
      </Button>
      <Menu
        text="Resend as"
        disabled={isLost}
        items={[
          { text: 'Edit and resend …', onSelect: () => onEdit(view) },
          { text: 'Resend the same bytes and signature', onSelect: () => onSend({ from }) },
          { text: 'Resend 10 at once', onSelect: () => onSend({ from, sign, copies: 10 }) },
          ...(sign ? tamperings : []).map((tamper, index) => ({
            text: changeText(tamper),
            ...(index === 0 && { heading: 'Your server should reject these' }),
            onSelect: () => onSend({ from, tamper }),
          })),
        ]}
      />
      <Menu
        text="Copy"
        items={[
          copied('Id', () => id),
          copied('Headers', () => headers.map((header) => header.join(': ')).join('\n')),
          ...('text' in body ? [copied('Body', () => body.text)] : []),
          ...(sign ? [copied('vitest test', () => testCode(view))] : []),
          { text: 'Save as a capture', onSelect: () => location.assign(address) },
        ]}
      />
      <span role="status" class="quiet">
        {done}
      </span>
    </div>
  )
}

function Request({ view: { attempt, signedHeaders } }: { readonly view: AttemptView }) {
  const { method, target, httpVersion, headers, body, size } = attempt
  return (
    <>
      {size === 0 ? <p class="empty">No body was kept.</p> : <BodyView body={body} />}
      <h3>Headers</h3>
      <p class="mono">
        {method} {target} HTTP/{httpVersion}
      </p>
      <Headers headers={headers} own={signedHeaders} />
    </>
  )
}

function Response({ view: { attempt } }: { readonly view: AttemptView }) {
  const { response } = attempt
  if (response === null) return <p class="empty">There is no response yet.</p>
  if (response.status === undefined) return <p class="empty">{response.error}</p>
  // No server is that fast.
  if (response.duration === 0) return <p class="empty">It was saved without a response.</p>
  return (
    <>
      <p class="mono">
        {response.status} <span class="quiet">after {milliseconds(response.duration)}</span>
      </p>
      <Headers headers={response.headers} />
      {response.body === '' ? <p class="empty">No body.</p> : <Text text={response.body} />}
    </>
  )
}

/** Headers in the order of the wire. */
function Headers({
  headers,
  own = [],
}: {
  readonly headers: readonly Header[]
  /** Those that verification reads, in lower case. */
  readonly own?: readonly string[]
}) {
  return (
    <dl>
      {headers.map(([name, value]) => (
        <>
          <dt class={own.includes(name.toLowerCase()) ? 'key' : ''}>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  )
}
