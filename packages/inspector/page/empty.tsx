import { useEffect, useState } from 'preact/hooks'
import type { State } from '../src/inspector.ts'
import { isReady, loadSample } from './api.ts'
import { Button, useCopy } from './controls.tsx'
import { useLatest } from './latest.ts'

/** How often somebody is told whether the server responds, in milliseconds. */
const PAUSE = 2000

/** Before the first delivery: what is there already, and what to do next. */
export function Empty({
  state: { targets, events, forwardsTo, emulates, service },
  onSend,
  onProblem,
}: {
  readonly state: State
  readonly onSend: (command: object) => void
  readonly onProblem: (error: Error) => void
}) {
  const [done, copy] = useCopy()
  const target = targets.at(-1)
  // A server of ours listens as long as the page is there.
  const isOurs = !emulates && forwardsTo === null
  const isListening = useReady(target !== undefined && !isOurs)
  if (target === undefined) {
    return (
      <div class="empty">
        <h2>No webhook yet</h2>
        <p>
          A program that registers one at the emulator gets its deliveries, and they appear here.
        </p>
      </div>
    )
  }
  const { id, url, start, canSign: sign } = target
  const [event = 'test'] = events
  const own = service ? ` --scheme ${service}` : ''
  const command = sign ? `npx webhook-receiver send ${event} ${url}${own}` : `curl -d '{}' ${url}`
  const test = () =>
    loadSample(event).then((text) => onSend({ target: id, body: { text }, event, sign }), onProblem)
  const shown = isOurs ? command : isListening ? undefined : start
  return (
    <div class="empty">
      <h2>Waiting for a delivery</h2>
      <ul>
        <li class="ok">{emulates ? 'The emulator runs.' : `Listening at ${url}`}</li>
        {!isOurs &&
          (isListening ? (
            <li class="ok">Your server responds at {forwardsTo ?? url}</li>
          ) : (
            <li>
              Your server does not respond yet at <b class="mono">{forwardsTo ?? url}</b>
              {start && '. Before you start it:'}
            </li>
          ))}
        {isOurs && <li>Send it a delivery:</li>}
        {shown && (
          <li class="command">
            <code>{shown}</code> <Button onClick={() => copy('the command', shown)}>Copy</Button>{' '}
            <span role="status">{done}</span>
          </li>
        )}
        <li hidden={!sign && !isOurs}>
          <Button class="primary" onClick={test}>
            Send a test delivery
          </Button>
        </li>
      </ul>
    </div>
  )
}

/** Whether anything listens where deliveries go: asked until it does. */
function useReady(isAsked: boolean): boolean {
  const [ready, setReady] = useState(false)
  const looks = useLatest()
  useEffect(() => {
    if (!isAsked || ready) return
    const look = () => looks.ask(isReady, setReady)
    look()
    const timer = setInterval(look, PAUSE)
    return () => {
      clearInterval(timer)
      looks.drop()
    }
  }, [isAsked, ready])
  return ready
}
