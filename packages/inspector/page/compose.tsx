import type { Header } from '@webhook-receiver/emulator/internal'
import { useEffect, useState } from 'preact/hooks'
import type { AttemptView } from '../src/delivery-view.ts'
import type { State } from '../src/inspector.ts'
import { loadSample } from './api.ts'
import { Choice, NumberField, Problem } from './controls.tsx'

interface Props {
  /** The request to start with. */
  readonly source: AttemptView | undefined
  readonly state: State
  readonly onSend: (command: object) => void
}

/** A delivery of your own: an editor for its body, and what to do to it. */
export function Compose({ source, state, onSend }: Props) {
  const { targets, events, service, tamperings } = state
  const [target, setTarget] = useState(source?.target ?? targets.at(-1)?.id ?? '')
  const [event, setEvent] = useState(source?.event ?? events[0] ?? '')
  const [signed, setSigned] = useState(true)
  const [tamper, setTamper] = useState('')
  const [copies, setCopies] = useState(1)
  const [text, setText] = useState<string>()
  const [headers, setHeaders] = useState(() => source && headerLines(source.attempt.headers))
  const [problem, setProblem] = useState('')

  const loadEvent = (name: string) => {
    setEvent(name)
    loadSample(name).then(setText, (error: Error) =>
      setProblem(`The sample could not be loaded: ${error.message}`),
    )
  }
  useEffect(() => {
    const body = source?.attempt.body
    if (body && 'text' in body) setText(body.text)
    else loadEvent(event)
  }, [])

  const chosen = targets.find(({ id }) => id === target)
  const canSign = chosen?.canSign ?? false
  const submit = () => {
    const parsed = headers === undefined ? undefined : parseHeaders(headers)
    if (parsed === null) return setProblem('Write one header a line: Name: value')
    setProblem('')
    onSend({
      target,
      body: { text: text ?? '' },
      ...(service?.hasEvent && { event }),
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
        <Choice
          label="Receiver"
          value={target}
          options={targets.map(({ id, url }) => [id, url] as const)}
          onSelect={setTarget}
        />
        {service === null ? (
          <Choice
            label="Event"
            value={event}
            options={[...new Set([...events, event])]}
            onSelect={loadEvent}
          />
        ) : (
          service.hasEvent && (
            <label>
              Event
              <input
                value={event}
                onChange={({ currentTarget }) =>
                  (source ? setEvent : loadEvent)(currentTarget.value)
                }
              />
            </label>
          )
        )}
        <Choice
          label="Tamper"
          value={tamper}
          options={[['', 'no'], ...tamperings]}
          disabled={!canSign}
          onSelect={setTamper}
        />
        <NumberField
          label="Copies at once"
          min={1}
          max={100}
          value={copies}
          onInput={(text) => setCopies(Number(text) || 1)}
        />
      </div>
      <textarea
        aria-label="Body"
        class="body"
        rows={18}
        spellcheck={false}
        value={text}
        disabled={text === undefined}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
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
      <Problem text={problem} />
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
