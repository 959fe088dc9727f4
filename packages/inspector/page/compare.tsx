import { useEffect, useMemo, useState } from 'preact/hooks'
import type { AttemptView } from '../src/delivery-view.ts'
import { loadAttempt } from './api.ts'
import { toBody } from './bodies.ts'
import { differences, type Run } from './differences.ts'
import { clock, count } from './format.ts'

/** How much of a run of equal bytes is shown. */
const CONTEXT = 200

/** Two deliveries, byte by byte. */
export function Compare({
  first,
  second,
  onEnd,
}: {
  readonly first: AttemptView
  /** The number of the other one: selecting another delivery changes it. */
  readonly second: number
  readonly onEnd: () => void
}) {
  const [other, setOther] = useState<AttemptView>()
  const [hex, setHex] = useState(false)
  useEffect(() => {
    let current = true
    loadAttempt(second).then(
      (view) => current && setOther(view),
      () => {},
    )
    return () => {
      current = false
    }
  }, [second])
  const runs = useMemo(() => {
    const [one, two] = [first.attempt.body, other?.attempt.body]
    return one && two ? differences(toBody(one).bytes, toBody(two).bytes) : undefined
  }, [first, other])
  if (other === undefined) return <p class="empty">Loading …</p>
  const changed = runs?.filter(({ kind }) => kind !== 'same') ?? []
  const total = changed.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return (
    <>
      <h2>Comparison</h2>
      <p class="facts">
        <span class="part removed">#{first.n}</span> {clock(first.at)} with{' '}
        <span class="part added">#{other.n}</span> {clock(other.at)}. Select another delivery to
        compare with that one.
      </p>
      <div class="actions">
        <button type="button" aria-pressed={hex} onClick={() => setHex(!hex)}>
          Hex
        </button>
        <button type="button" onClick={onEnd}>
          End comparison
        </button>
      </div>
      <h3>Headers</h3>
      <HeaderDifferences first={first} second={other} />
      <h3>Body</h3>
      {runs === undefined && <p class="empty">A body was dropped to save memory.</p>}
      {runs && changed.length === 0 && <p>Both bodies are equal, byte for byte.</p>}
      {changed.length > 0 && (
        <>
          <p class="quiet">
            {count(total)} bytes differ, in {count(changed.length)} places.
          </p>
          <pre class="signed">
            {runs?.slice(0, 2000).map((run) => (
              <RunView run={run} hex={hex} />
            ))}
          </pre>
        </>
      )}
    </>
  )
}

function RunView({ run: { kind, bytes }, hex }: { readonly run: Run; readonly hex: boolean }) {
  const text = (part: Uint8Array) =>
    hex
      ? [...part].map((byte) => `${byte.toString(16).padStart(2, '0')} `).join('')
      : new TextDecoder().decode(part)
  if (kind !== 'same') {
    return kind === 'removed' ? <del>{text(bytes)}</del> : <ins>{text(bytes)}</ins>
  }
  if (bytes.length <= 2 * CONTEXT) return <span>{text(bytes)}</span>
  return (
    <span>
      {text(bytes.subarray(0, CONTEXT))}
      <em class="quiet"> … {count(bytes.length - 2 * CONTEXT)} equal bytes … </em>
      {text(bytes.subarray(-CONTEXT))}
    </span>
  )
}

function HeaderDifferences({
  first,
  second,
}: {
  readonly first: AttemptView
  readonly second: AttemptView
}) {
  const one = new Map(first.attempt.headers)
  const two = new Map(second.attempt.headers)
  const names = [...new Set([...one.keys(), ...two.keys()])].filter(
    (name) => one.get(name) !== two.get(name),
  )
  if (names.length === 0) return <p>All headers are equal.</p>
  return (
    <table class="headers">
      <tbody>
        {names.map((name) => (
          <tr>
            <th scope="row">{name}</th>
            <td>
              <del>{one.get(name) ?? 'missing'}</del>
              <br />
              <ins>{two.get(name) ?? 'missing'}</ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
