import { useState } from 'preact/hooks'
import type { ScenarioState } from '../src/scenario.ts'
import { post } from './api.ts'
import { NumberField, Problem } from './controls.tsx'
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
  return (
    <form
      class="compose"
      onSubmit={(event) => {
        event.preventDefault()
        setProblem('')
        const end = count && { count: Number(count) }
        const asked = running
          ? post('scenario/stop')
          : post('scenario', { rate, faults: chosen, faultRate, ...end })
        asked.catch((error: Error) => setProblem(error.message))
      }}
    >
      <h2>Scenario</h2>
      <p class="quiet">
        Conversations: an instance connects; messages are received, sent, delivered and read; one
        fails; the instance disconnects.
      </p>
      <div class="fields">
        <NumberField
          label="Events a second"
          min={0.1}
          max={1000}
          value={rate}
          onInput={(text) => setRate(Number(text))}
        />
        <NumberField
          label="Stop after"
          min={1}
          placeholder="no end"
          value={count}
          onInput={setCount}
        />
        <NumberField
          label="Share with a fault"
          min={0}
          max={1}
          value={faultRate}
          onInput={(text) => setFaultRate(Number(text))}
        />
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
      <Problem text={problem} />
      <p class="submit">
        <button type="submit" class="primary">
          {running ? 'Stop' : 'Start'}
        </button>
        <span role="status">{sent > 0 && `${written(sent)} events sent`}</span>
      </p>
    </form>
  )
}
