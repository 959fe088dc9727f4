import { useEffect, useRef, useState } from 'preact/hooks'
import type { AttemptView } from '../src/delivery-view.ts'
import type { Header } from '../src/exchange.ts'
import type { State } from '../src/state.ts'
import { loadSample } from './api.ts'
import type { Editor } from './editor.ts'

interface Props {
  /** The request to start with. */
  readonly source: AttemptView | undefined
  readonly state: State
  readonly onSend: (command: object) => void
}

/** A delivery of your own: an editor for its body, and what to do to it. */
export function Compose({ source, state, onSend }: Props) {
  const { targets, events, tamperings } = state
  const [target, setTarget] = useState(source?.target ?? targets.at(-1)?.id ?? '')
  const [event, setEvent] = useState(source?.event ?? events[0] ?? '')
  const [signed, setSigned] = useState(true)
  const [tamper, setTamper] = useState('')
  const [copies, setCopies] = useState(1)
  const [headers, setHeaders] = useState(() => source && headerLines(source.attempt.headers))
  const [problem, setProblem] = useState('')
  const element = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(undefined)
  const chosenEvent = useRef(event)
  chosenEvent.current = event

  useEffect(() => {
    let ended = false
    const body = source?.attempt.body
    Promise.all([
      // The editor is more than half of the page: it comes when it is needed.
      import('./editor.ts'),
      body && 'text' in body ? body.text : loadSample(event),
    ]).then(
      ([{ createEditor }, text]) => {
        if (ended || element.current === null) return
        editor.current = createEditor(element.current, text, () => chosenEvent.current)
      },
      (error: Error) => setProblem(`The editor could not be loaded: ${error.message}`),
    )
    return () => {
      ended = true
      editor.current?.destroy()
    }
  }, [])

  const chosen = targets.find(({ id }) => id === target)
  const canSign = chosen?.canSign ?? false
  const submit = () => {
    const parsed = headers === undefined ? undefined : parseHeaders(headers)
    if (parsed === null) return setProblem('Write one header a line: Name: value')
    setProblem('')
    onSend({
      target,
      body: { text: editor.current?.text() ?? '' },
      sign: canSign && signed,
      copies,
      ...(source && { from: { n: source.n, attempt: source.attempt.number } }),
      ...(parsed && { headers: parsed }),
      ...(tamper && { tamper }),
    })
  }
  return (
    <form
      class="compose"
      onSubmit={(submitted) => {
        submitted.preventDefault()
        submit()
      }}
    >
      <h2>{source ? `Edit ${source.event || 'the request'}` : 'New delivery'}</h2>
      <div class="fields">
        <label>
          Receiver
          <select value={target} onChange={({ currentTarget }) => setTarget(currentTarget.value)}>
            {targets.map(({ id, url }) => (
              <option value={id}>{url}</option>
            ))}
          </select>
        </label>
        <label>
          Event
          <select
            value={event}
            onChange={({ currentTarget }) => {
              setEvent(currentTarget.value)
              loadSample(currentTarget.value).then(
                (text) => editor.current?.setText(text),
                (error: Error) => setProblem(`The sample could not be loaded: ${error.message}`),
              )
            }}
          >
            {[...new Set([...events, event])].map((name) => (
              <option>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Tamper
          <select
            value={tamper}
            disabled={!canSign}
            onChange={({ currentTarget }) => setTamper(currentTarget.value)}
          >
            <option value="">no</option>
            {tamperings.map((way) => (
              <option>{way}</option>
            ))}
          </select>
        </label>
        <label>
          At once
          <input
            type="number"
            min={1}
            max={100}
            value={copies}
            onInput={({ currentTarget }) => setCopies(Number(currentTarget.value) || 1)}
          />
        </label>
      </div>
      <div class="editor" ref={element} />
      {headers !== undefined && (
        <details open>
          <summary>Headers</summary>
          <textarea
            aria-label="Headers"
            rows={8}
            spellcheck={false}
            value={headers}
            onInput={({ currentTarget }) => setHeaders(currentTarget.value)}
          />
        </details>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="submit">
        <button type="submit" class="primary">
          {canSign && signed ? 'Sign and send' : 'Send as it is'}
        </button>
        <label class="check">
          <input
            type="checkbox"
            checked={canSign && signed}
            disabled={!canSign}
            onChange={({ currentTarget }) => setSigned(currentTarget.checked)}
          />
          sign with its secret
        </label>
        <span class="quiet">Ctrl+Space completes</span>
      </p>
    </form>
  )
}

function headerLines(headers: readonly Header[]): string {
  return headers
    .filter(([name]) => !/^(?:host|connection|content-length)$/i.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

function parseHeaders(text: string): readonly Header[] | null {
  const headers: Header[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) return null
    headers.push([name, value.trimEnd()])
  }
  return headers
}
