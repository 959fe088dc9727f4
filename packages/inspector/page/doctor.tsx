import { useState } from 'preact/hooks'
import type { DoctorState } from '../src/doctor.ts'
import type { TargetView } from '../src/targets.ts'
import { post } from './api.ts'
import { Button, Choice, Problem } from './controls.tsx'

/** The probes with live progress, and what is wrong. */
export function Doctor({
  doctor,
  targets,
}: {
  readonly doctor: DoctorState
  readonly targets: readonly TargetView[]
}) {
  const known = targets.filter(({ canSign }) => canSign)
  const [target, setTarget] = useState(doctor.target ?? known.at(-1)?.id ?? '')
  const [failed, setFailed] = useState('')
  const { probes, faults, running } = doctor
  const problem = failed || doctor.problem
  const act = (path: string, value?: object) => {
    setFailed('')
    post(path, value).catch((error: Error) => setFailed(error.message))
  }
  const ended = probes.filter(({ verdict }) => verdict !== 'waiting' && verdict !== 'running')
  const groups = [...new Set(probes.map(({ group }) => group))]
  return (
    <div class="doctor">
      <h2>Doctor</h2>
      <p class="quiet">
        Sends valid and forged requests to the receiver, one after the other, and says what is wrong
        with its responses. It uses an event that has no effect.
      </p>
      <div class="fields">
        <Choice
          label="Receiver"
          value={target}
          options={known.map(({ id, url }) => [id, url] as const)}
          onSelect={setTarget}
        />
        <Button
          class="primary"
          onClick={() => (running ? act('doctor/stop') : act('doctor', { target }))}
        >
          {running ? 'Stop' : 'Examine'}
        </Button>
      </div>
      {probes.length > 0 && (
        <p role="status">
          <progress value={ended.length} max={probes.length} aria-label="Probes" /> {ended.length}{' '}
          of {probes.length} probes
          {!running && !problem && (faults.length === 0 ? ': nothing is wrong' : '')}
        </p>
      )}
      <Problem text={problem} />
      {faults.map(({ cause, fix, probes: failed }) => (
        <div class="conclusion wrong">
          <p>
            <b>{cause}</b>
          </p>
          <p>Fix: {fix}</p>
          <p class="quiet">Failed probes: {failed.join(', ')}</p>
        </div>
      ))}
      {groups.map((group) => (
        <table class="probes">
          <caption>{group}</caption>
          <tbody>
            {probes
              .filter((probe) => probe.group === group)
              .map(({ id, sends, expects, verdict, observed, problems, note }) => (
                <tr class={verdict.replace(' ', '-')}>
                  <th scope="row" title={id}>
                    {sends}
                    {problems.map((text) => (
                      <small>{text}</small>
                    ))}
                    {note && <small>{note}</small>}
                  </th>
                  <td>{expects}</td>
                  <td class="mono">{observed.slice(0, 3).join(' ')}</td>
                  <td class="verdict">{verdict}</td>
                </tr>
              ))}
          </tbody>
        </table>
      ))}
    </div>
  )
}
