import { useEffect, useState } from 'preact/hooks'
import type { AttemptView } from '../src/delivery-view.ts'
import type { Row } from '../src/row.ts'
import { captureAddress, loadAttempt, post } from './api.ts'
import { BodyView, Text } from './body-view.tsx'
import { conclude } from './conclusion.ts'
import { Button, Problem } from './controls.tsx'
import { curlCommand, testCode } from './copies.ts'
import { bytes, clock, DOTS, milliseconds, resultText, statusText } from './format.ts'
import { HeaderTable } from './header-table.tsx'
import { Menu } from './menu.tsx'
import { Signature } from './signature.tsx'

interface Props {
  readonly row: Row
  readonly number: number | undefined
  readonly tab: string | undefined
  readonly tamperings: readonly string[]
  readonly onGo: (change: { readonly tab?: string; readonly attempt?: number }) => void
  readonly onSend: (command: object) => void
  readonly onEdit: (view: AttemptView) => void
}

const TABS = ['Request', 'Signature', 'Response'] as const

/** How many attempts are listed. */
const ATTEMPTS = 40

export function Detail({ row, number, tab: asked, ...props }: Props) {
  const [view, setView] = useState<AttemptView>()
  const [problem, setProblem] = useState('')
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
  if (problem) return <Problem text={problem} />
  if (view === undefined) return <p class="empty">Loading …</p>
  const { attempt, all } = view
  const tab = TABS.find((name) => name === asked) ?? 'Request'
  const choose = (name: string) => props.onGo({ tab: name })
  return (
    <>
      <h2>{view.event || view.line}</h2>
      <p class="facts">
        #{view.n} · {clock(attempt.at)} · {bytes(attempt.size)} · {view.id || view.url}
        {view.instance && ` · ${view.instance}`}
        {view.note && <em class="note">{view.note}</em>}
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
                onClick={() => props.onGo({ attempt: one.number })}
              >
                <b class={`pill ${one.dot}`}>{statusText(one.status, one.dot)}</b>
                <span>Attempt {one.number}</span>
                <span class="quiet">{clock(one.at)}</span>
                <span class="quiet">{milliseconds(one.ms)}</span>
                <span class="quiet">{one.error ?? DOTS[one.dot]}</span>
                {one.note && <em class="note">{one.note}</em>}
              </Button>
            </li>
          ))}
        </ol>
      )}
      {row.retryAt !== undefined && (
        <p class="quiet">The service will {resultText(row, Date.now())}.</p>
      )}
      <div
        class="tabs"
        role="tablist"
        aria-label="Delivery"
        onKeyDown={(event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
          const next = step && TABS.at((TABS.indexOf(tab) + step) % TABS.length)
          if (!next) return
          event.stopPropagation()
          choose(next)
          document.getElementById(`tab-${next}`)?.focus()
        }}
      >
        {TABS.map((name) => (
          <Button
            role="tab"
            id={`tab-${name}`}
            aria-controls="tab"
            aria-selected={name === tab}
            tabIndex={name === tab ? 0 : -1}
            onClick={() => choose(name)}
          >
            {name}
          </Button>
        ))}
      </div>
      <div role="tabpanel" id="tab" aria-labelledby={`tab-${tab}`} class="panel">
        {tab === 'Request' && <Request view={view} />}
        {tab === 'Signature' && <Signature view={view} />}
        {tab === 'Response' && <Response view={view} />}
      </div>
    </>
  )
}

/** One sentence and the fix; the rest is behind it. */
function Conclusion({ view }: { readonly view: AttemptView }) {
  const { dot, status, verdict, findings } = view.attempt
  const { sentence, fix } = conclude(view)
  const [first] = findings ?? []
  const invalid = verdict?.valid === false ? verdict.detail : undefined
  return (
    <div class={`conclusion ${dot}`} role="status">
      <p>
        <b class={`pill ${dot}`}>{statusText(status, dot)}</b> <strong>{sentence}</strong>
      </p>
      {!view.attempt.change && (first || invalid) && <p>{first?.message ?? invalid}</p>}
      {fix && (
        <p>
          <b>Fix:</b> {fix}
        </p>
      )}
      {verdict?.valid === false && (first || view.attempt.change || findings === null) && (
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

/** What a tampering does, in the menu. */
const TAMPERINGS: Readonly<Record<string, string>> = {
  body: 'Change the body after signing',
  signature: 'Change the signature',
  timestamp: 'Change the timestamp after signing',
  secret: 'Sign with another secret',
  stale: 'Sign with an old timestamp',
  future: 'Sign with a future timestamp',
  unsigned: 'Remove the signature',
}

function Actions({
  view,
  tamperings,
  onSend,
  onEdit,
}: Pick<Props, 'tamperings' | 'onSend' | 'onEdit'> & { readonly view: AttemptView }) {
  const [done, setDone] = useState('')
  const { n, canSign: sign, pinned, attempt } = view
  const from = { n, attempt: attempt.number }
  const address = captureAddress(n, attempt.number)
  const copy = async (name: string, text: string | Promise<string>) => {
    try {
      await navigator.clipboard.writeText(await text)
      setDone(`Copied: ${name}`)
    } catch {
      setDone('The browser does not let the page copy')
    }
  }
  return (
    <div class="actions">
      <span class="split">
        <Button
          class="primary"
          title={sign ? 'With the timestamp of now, signed' : 'The same bytes and headers'}
          onClick={() => onSend({ from, sign })}
        >
          Resend
        </Button>
        <Menu
          label="Other ways to resend"
          text="▾"
          items={[
            { text: 'Edit and resend …', onSelect: () => onEdit(view) },
            { text: 'Resend the same bytes and signature', onSelect: () => onSend({ from }) },
            { text: 'Resend 10 at once', onSelect: () => onSend({ from, sign, copies: 10 }) },
            ...(sign ? tamperings : []).map((tamper, index) => ({
              text: TAMPERINGS[tamper] ?? tamper,
              ...(index === 0 && { heading: 'Your server should reject these' }),
              onSelect: () => onSend({ from, tamper }),
            })),
          ]}
        />
      </span>
      <Menu
        label="Copy"
        text="Copy ▾"
        items={[
          {
            text: 'curl command (POSIX shells, fish)',
            onSelect: () => copy('curl', curlCommand(view)),
          },
          ...(view.service === null
            ? [{ text: 'vitest test', onSelect: () => copy('test', testCode(view)) }]
            : []),
          {
            text: 'Capture',
            onSelect: () =>
              copy(
                'capture',
                fetch(address).then((got) => got.text()),
              ),
          },
          { text: 'Save the capture as a file', onSelect: () => location.assign(address) },
        ]}
      />
      <Button aria-pressed={pinned} onClick={() => post('pin', { n, pinned: !pinned })}>
        {pinned ? 'Pinned' : 'Pin'}
      </Button>
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
      <p class="mono start">
        {method} {target} HTTP/{httpVersion}
      </p>
      <HeaderTable headers={headers} own={signedHeaders} />
    </>
  )
}

function Response({ view: { attempt } }: { readonly view: AttemptView }) {
  const { response } = attempt
  if (response === null) return <p class="empty">There is no response yet.</p>
  if (response.status === undefined) return <p class="empty">{response.error}</p>
  return (
    <>
      <p class="mono start">
        {response.status} <span class="quiet">after {milliseconds(response.duration)}</span>
      </p>
      <HeaderTable headers={response.headers} />
      {response.body === '' ? <p class="empty">No body.</p> : <Text text={response.body} />}
    </>
  )
}
