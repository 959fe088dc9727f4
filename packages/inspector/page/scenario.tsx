import { useState } from 'preact/hooks'
import type { ScenarioState } from '../src/scenario.ts'
import { post } from './api.ts'
import { count as written } from './format.ts'

/** Conversations at a rate, with faults. */
export function Scenario({
  scenario,
  faults,
}: {
  readonly scenario: ScenarioState
  readonly faults: readonly string[]
}) {
  const { settings, running, sent } = scenario
  const [rate, setRate] = useState(settings.rate ?? 5)
  const [count, setCount] = useState(settings.count === undefined ? '' : String(settings.count))
  const [chosen, setChosen] = useState<readonly string[]>(settings.faults ?? [])
  const [faultRate, setFaultRate] = useState(settings.faultRate ?? 0.25)
  const [problem, setProblem] = useState('')
  const act = (path: string, value?: object) => {
    setProblem('')
    post(path, value).catch((error: Error) => setProblem(error.message))
  }
  return (
    <form
      class="compose"
      onSubmit={(event) => {
        event.preventDefault()
        act('scenario', { rate, faults: chosen, faultRate, ...(count && { count: Number(count) }) })
      }}
    >
      <h2>Scenario</h2>
      <p class="quiet">
        Conversations: an instance connects; messages are received, sent, delivered and read; one
        fails; the instance disconnects.
      </p>
      <div class="fields">
        <label>
          Events a second
          <input
            type="number"
            min={0.1}
            max={1000}
            step="any"
            value={rate}
            onInput={({ currentTarget }) => setRate(Number(currentTarget.value))}
          />
        </label>
        <label>
          Stop after
          <input
            type="number"
            min={1}
            placeholder="no end"
            value={count}
            onInput={({ currentTarget }) => setCount(currentTarget.value)}
          />
        </label>
        <label>
          Share with a fault
          <input
            type="number"
            min={0}
            max={1}
            step="any"
            value={faultRate}
            onInput={({ currentTarget }) => setFaultRate(Number(currentTarget.value))}
          />
        </label>
      </div>
      <fieldset>
        <legend>Faults</legend>
        {faults.map((fault) => (
          <label class="check">
            <input
              type="checkbox"
              checked={chosen.includes(fault)}
              onChange={({ currentTarget }) =>
                setChosen(
                  currentTarget.checked
                    ? [...chosen, fault]
                    : chosen.filter((other) => other !== fault),
                )
              }
            />
            {fault}
          </label>
        ))}
      </fieldset>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="submit">
        {running ? (
          <button type="button" class="primary" onClick={() => act('scenario/stop')}>
            Stop
          </button>
        ) : (
          <button type="submit" class="primary">
            Start
          </button>
        )}
        <span role="status">{sent > 0 && `${written(sent)} events sent`}</span>
      </p>
    </form>
  )
}
