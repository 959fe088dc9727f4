import { useState } from 'preact/hooks'
import type { DoctorState } from '../src/doctor.ts'
import type { TargetView } from '../src/targets.ts'
import { post } from './api.ts'

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
  const [refused, setRefused] = useState('')
  const { probes, diagnoses, running } = doctor
  const problem = refused || doctor.problem
  const act = (path: string, value?: object) => {
    setRefused('')
    post(path, value).catch((error: Error) => setRefused(error.message))
  }
  const ended = probes.filter(({ verdict }) => verdict !== 'waiting' && verdict !== 'running')
  const groups = [...new Set(probes.map(({ group }) => group))]
  return (
    <div class="doctor">
      <h2>Doctor</h2>
      <p class="quiet">
        Sends genuine and forged requests to the receiver, one after the other, and says what is
        wrong with its answers. It uses an event that has no effect.
      </p>
      <div class="fields">
        <label>
          Receiver
          <select value={target} onChange={({ currentTarget }) => setTarget(currentTarget.value)}>
            {known.map(({ id, url }) => (
              <option value={id}>{url}</option>
            ))}
          </select>
        </label>
        {running ? (
          <button type="button" class="primary" onClick={() => act('doctor/stop')}>
            Stop
          </button>
        ) : (
          <button type="button" class="primary" onClick={() => act('doctor', { target })}>
            Examine
          </button>
        )}
      </div>
      {probes.length > 0 && (
        <p role="status">
          <progress value={ended.length} max={probes.length} aria-label="Probes" /> {ended.length}{' '}
          of {probes.length} probes
          {!running && !problem && (diagnoses.length === 0 ? ': nothing is wrong' : '')}
        </p>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {diagnoses.map(({ cause, fix, probes: failed }) => (
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
