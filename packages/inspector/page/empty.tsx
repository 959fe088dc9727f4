import type { State } from '../src/inspector.ts'
import { loadSample, send } from './api.ts'
import { Button } from './controls.tsx'

/** Before the first delivery: a button that sends one and, where a server of ours receives, what to type. */
export function Empty({
  state,
  onSent,
  onProblem,
}: {
  readonly state: State | undefined
  readonly onSent: (n: number) => void
  readonly onProblem: (message: string) => void
}) {
  const target = state?.targets.at(-1)
  const [event = ''] = state?.events ?? []
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
  const { id, url, canSign: sign } = target
  // A request that goes to the receiver past the emulator is not seen.
  const isHere = state?.reply !== null
  const command = sign ? `npx @webhook-receiver/cli send ${event} ${url}` : `curl -d '{}' ${url}`
  const test = () =>
    loadSample(event)
      .then((text) => send({ target: id, body: { text }, sign }))
      .then(onSent, (error: Error) => onProblem(error.message))
  return (
    <div class="empty">
      <h2>Waiting for the first delivery</h2>
      <p>
        {isHere ? 'What is sent to ' : 'What the emulator sends to '}
        <b class="mono">{url}</b> appears here at once.
      </p>
      {isHere && state?.service === null && <pre class="text">{command}</pre>}
      <p hidden={state?.service !== null && !sign}>
        <Button class="primary" onClick={test}>
          Send a test delivery
        </Button>
      </p>
    </div>
  )
}
