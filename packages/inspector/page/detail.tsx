import { useEffect, useState } from 'preact/hooks'
import type { AttemptView } from '../src/delivery-view.ts'
import type { Row } from '../src/row.ts'
import { captureAddress, loadAttempt } from './api.ts'
import { BodyView, Text } from './body-view.tsx'
import { curlCommand, testCode } from './copies.ts'
import { bytes, clock, DOTS, milliseconds } from './format.ts'
import { HeaderTable } from './header-table.tsx'
import { Signature } from './signature.tsx'

interface Props {
  readonly row: Row
  readonly tamperings: readonly string[]
  /** The delivery that the next one is compared with. */
  readonly marked: number | undefined
  readonly onSend: (command: object) => void
  readonly onEdit: (view: AttemptView) => void
  readonly onCompare: (view: AttemptView) => void
}

const TABS = ['Request', 'Signature', 'Answer'] as const

export function Detail({ row, tamperings, marked, onSend, onEdit, onCompare }: Props) {
  const [number, setNumber] = useState<number>()
  const [view, setView] = useState<AttemptView>()
  const [problem, setProblem] = useState('')
  const [tab, setTab] = useState<(typeof TABS)[number]>('Request')
  useEffect(() => {
    let current = true
    loadAttempt(row.n, number).then(
      (loaded) => current && setView(loaded),
      (error: Error) => current && setProblem(error.message),
    )
    return () => {
      current = false
    }
  }, [row, number])
  if (problem) return <p class="problem">{problem}</p>
  if (view === undefined) return <p class="empty">Loading …</p>
  const { attempt, all, canSign, url } = view
  const from = { n: view.n, attempt: attempt.number }
  return (
    <>
      <h2>
        {view.event || 'A request'} <span class="quiet mono">{view.id}</span>
      </h2>
      <p class="facts">
        {clock(view.at)} · {url} · {bytes(attempt.size)}
        {view.instance && ` · ${view.instance}`}
        {view.note && <em class="note">{view.note}</em>}
      </p>
      <Conclusion view={view} />
      <div class="actions">
        <button type="button" title="The same bytes and headers" onClick={() => onSend({ from })}>
          Send again
        </button>
        {canSign && (
          <button
            type="button"
            title="With a timestamp of now"
            onClick={() => onSend({ from, sign: true })}
          >
            Sign again and send
          </button>
        )}
        {canSign && (
          <select
            aria-label="Tamper and send"
            value=""
            onChange={({ currentTarget }) => {
              onSend({ from, tamper: currentTarget.value })
              currentTarget.value = ''
            }}
          >
            <option value="">Tamper …</option>
            {tamperings.map((way) => (
              <option value={way}>{way}</option>
            ))}
          </select>
        )}
        <button
          type="button"
          title="Ten copies at the same time"
          onClick={() => onSend({ from, sign: canSign, copies: 10 })}
        >
          10 at once
        </button>
        <button type="button" onClick={() => onEdit(view)}>
          Edit …
        </button>
        <button type="button" aria-pressed={marked === view.n} onClick={() => onCompare(view)}>
          {marked === undefined
            ? 'Compare …'
            : marked === view.n
              ? 'Now choose another'
              : `Compare with #${marked}`}
        </button>
        <CopyMenu view={view} />
      </div>
      {all.length > 1 && (
        <ol class="attempts" aria-label="Attempts">
          {all.slice(-40).map((one) => (
            <li>
              <button
                type="button"
                class="plain"
                aria-pressed={one.number === attempt.number}
                onClick={() => setNumber(one.number)}
              >
                <i class={`dot ${one.dot}`} /> {one.number}
                <span class="quiet">{clock(one.at)}</span>
                <span>{one.status ?? one.error ?? DOTS[one.dot]}</span>
                <span class="quiet">{milliseconds(one.ms)}</span>
                {one.note && <em class="note">{one.note}</em>}
              </button>
            </li>
          ))}
        </ol>
      )}
      <div class="tabs" role="tablist" aria-label="Delivery">
        {TABS.map((name) => (
          <button
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-controls="tab"
            aria-selected={name === tab}
            onClick={() => setTab(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab" aria-labelledby={`tab-${tab}`} class="panel">
        {tab === 'Request' && <Request view={view} />}
        {tab === 'Signature' && <Signature view={view} />}
        {tab === 'Answer' && <Answer view={view} />}
      </div>
    </>
  )
}

/** What happened, and what to do about it, in words. */
function Conclusion({ view: { attempt, origin } }: { readonly view: AttemptView }) {
  const { dot, verdict, findings, undiagnosed, answer, status } = attempt
  const forged = verdict?.valid === false
  const words: Readonly<Record<typeof dot, string>> = {
    pending: 'Waiting for the answer.',
    good: verdict
      ? 'Genuine, and the receiver accepted it.'
      : 'Accepted. The inspector has no secret, so it verified nothing.',
    right: origin === 'received' ? 'Rejected.' : 'Not genuine, and the receiver rejected it.',
    wrong:
      'The receiver accepted a request that it should reject. It does not check what is named below.',
    bad: verdict?.valid
      ? `The request is genuine, and the receiver answered ${status}. It may have another secret or clock, get other bytes, or have no route here. Read its log, or run the doctor.`
      : `The receiver answered ${status}.`,
    fail: `The receiver failed with ${status}. Read its log.`,
    none: `No answer: ${answer?.error}.`,
  }
  return (
    <div class={`conclusion ${dot}`}>
      <p>
        <i class={`dot ${dot}`} /> {words[dot]}
      </p>
      {forged && (
        <p>
          <b>{verdict.reason}</b> {verdict.detail}
        </p>
      )}
      {findings.map(({ code, certainty, message, fix }) => (
        <p class="finding">
          <b>{code}</b> <small>{certainty}</small> {message}
          <br />
          <span>Fix: {fix}</span>
        </p>
      ))}
      {undiagnosed && <p>{undiagnosed}</p>}
    </div>
  )
}

function Request({ view: { attempt } }: { readonly view: AttemptView }) {
  const { method, path, httpVersion, headers, body } = attempt
  return (
    <>
      <p class="mono start">
        {method} {path} HTTP/{httpVersion}
      </p>
      <HeaderTable headers={headers} />
      {body ? (
        <BodyView body={body} />
      ) : (
        <p class="empty">The body was dropped to save memory: the oldest go first.</p>
      )}
    </>
  )
}

function Answer({ view: { attempt } }: { readonly view: AttemptView }) {
  const { answer } = attempt
  if (answer === null) return <p class="empty">There is no answer yet.</p>
  if (answer.status === undefined) return <p class="empty">{answer.error}</p>
  return (
    <>
      <p class="mono start">
        {answer.status} <span class="quiet">after {milliseconds(answer.duration)}</span>
      </p>
      <HeaderTable headers={answer.headers} />
      {answer.body === '' ? <p class="empty">No body.</p> : <Text text={answer.body} />}
    </>
  )
}

function CopyMenu({ view }: { readonly view: AttemptView }) {
  const [done, setDone] = useState('')
  const copy = (name: string, text: string | Promise<string>) => {
    Promise.resolve(text)
      .then((value) => navigator.clipboard.writeText(value))
      .then(
        () => setDone(`Copied as ${name}`),
        () => setDone('The browser does not let the page copy'),
      )
  }
  const address = captureAddress(view.n, view.attempt.number)
  if (view.attempt.body === null) return null
  return (
    <>
      <select
        aria-label="Copy as"
        value=""
        onChange={({ currentTarget }) => {
          const { value } = currentTarget
          currentTarget.value = ''
          if (value === 'curl') copy('curl', curlCommand(view))
          if (value === 'test') copy('a test', testCode(view))
          if (value === 'capture') {
            copy(
              'a capture',
              fetch(address).then((response) => response.text()),
            )
          }
        }}
      >
        <option value="">{done || 'Copy as …'}</option>
        <option value="curl">curl</option>
        <option value="capture">capture</option>
        <option value="test">vitest test</option>
      </select>
      <a class="button" href={address} download>
        Save capture
      </a>
    </>
  )
}
