import { useLayoutEffect, useState } from 'preact/hooks'
import type { AttemptView } from '../src/delivery-view.ts'
import type { State } from '../src/inspector.ts'
import { loadSample } from './api.ts'
import { Choice, Problem } from './controls.tsx'
import { useLatest } from './latest.ts'

interface Props {
  /** The request to start with. */
  readonly source: AttemptView | undefined
  readonly state: State
  readonly isLost: boolean
  readonly onSend: (command: object) => void
}

/** A delivery of your own: an editor for its body. */
export function Compose({ source, state, isLost, onSend }: Props) {
  const { targets, events, hasEvent } = state
  const [target, setTarget] = useState(source?.target ?? targets.at(-1)?.id ?? '')
  const [event, setEvent] = useState(source?.event ?? events[0] ?? '')
  const [signed, setSigned] = useState(true)
  /** `undefined` until the sample is there: neither the body of another event nor an empty one is sent as this event. */
  const [text, setText] = useState<string>()
  const [problem, setProblem] = useState('')
  const samples = useLatest()

  const loadEvent = (name: string) => {
    setEvent(name)
    setText(undefined)
    setProblem('')
    samples.ask(
      (signal) => loadSample(name, signal),
      setText,
      (error) => {
        setText('')
        setProblem(`The sample could not be loaded: ${error.message}`)
      },
    )
  }
  // Before anybody can choose another event, whose sample is then asked for last.
  useLayoutEffect(() => {
    const body = source?.attempt.body
    if (body && 'text' in body) setText(body.text)
    else loadEvent(event)
  }, [])

  const canSign = targets.find(({ id }) => id === target)?.canSign ?? false
  const sign = canSign && signed
  const submit = () => {
    if (text === undefined || isLost) return
    onSend({
      ...{ target, sign, body: { text } },
      ...(hasEvent && { event }),
      ...(source && { from: { n: source.n, attempt: source.attempt.number } }),
    })
  }
  return (
    <form
      class="compose"
      onSubmit={(submitted) => {
        submitted.preventDefault()
        submit()
      }}
      onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey) && submit()}
    >
      <h2>{source ? `Edit ${source.event || 'the request'}` : 'New delivery'}</h2>
      <div class="fields">
        <Choice
          label="Receiver"
          value={target}
          options={targets.map(({ id, url }) => [id, url] as const)}
          onSelect={setTarget}
        />
        {(hasEvent || events.length > 0) && (
          <label>
            Event
            <input
              list="events"
              defaultValue={event}
              onChange={({ currentTarget }) => (source ? setEvent : loadEvent)(currentTarget.value)}
            />
            <datalist id="events">
              {events.map((name) => (
                <option value={name} />
              ))}
            </datalist>
          </label>
        )}
      </div>
      <textarea
        aria-label="Body"
        rows={18}
        spellcheck={false}
        value={text ?? ''}
        // Not disabled, which would take the focus away from whoever has just come from the field above.
        readOnly={text === undefined}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Problem text={problem} />
      <p class="actions">
        <button
          type="submit"
          class="primary"
          title="Ctrl or Cmd and Enter"
          disabled={isLost || text === undefined}
        >
          {sign ? 'Sign and send' : 'Send as it is'}
        </button>
        <label>
          <input
            type="checkbox"
            checked={sign}
            disabled={!canSign}
            onChange={({ currentTarget }) => setSigned(currentTarget.checked)}
          />{' '}
          Sign with the secret of the webhook
        </label>
      </p>
    </form>
  )
}
