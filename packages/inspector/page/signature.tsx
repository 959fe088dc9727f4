import type { AttemptView } from '../src/delivery-view.ts'
import { toBody } from './bodies.ts'
import { count } from './format.ts'

/** How much of the signed string is shown, in characters. */
const SHOWN = 6000

/** The string that is signed, and how the signature compares. */
export function Signature({ view: { attempt } }: { readonly view: AttemptView }) {
  const { signature, body } = attempt
  if (body === null) return <p class="empty">The body was dropped to save memory.</p>
  if (signature === null) {
    return <p class="empty">There is no secret here, so nothing can be compared.</p>
  }
  const { bytes, text } = toBody(body)
  const shown = text ?? new TextDecoder().decode(bytes)
  return (
    <>
      <h3>What is signed</h3>
      <p class="quiet">
        {count(signature.bytes)} bytes: <b class="part time">X-Webhook-Timestamp</b> as it was sent,
        a full stop, and the <b class="part content">body</b>, byte for byte.
      </p>
      <pre class="signed">
        {signature.timestamp === undefined ? (
          <em class="missing">no timestamp</em>
        ) : (
          <span class="part time">{signature.timestamp}</span>
        )}
        <span class="part stop">.</span>
        <span class="part content">{shown.slice(0, SHOWN)}</span>
        {shown.length > SHOWN && <em class="quiet"> … {count(shown.length - SHOWN)} more</em>}
      </pre>
      <h3>How the signature compares</h3>
      {signature.expected.map(({ secretName, signature: right, equal }) => (
        <table class="compare">
          <caption class={equal ? 'ok' : 'no'}>
            {equal ? '✓ equal' : '✗ different'}
            {signature.expected.length > 1 && `: ${secretName}`}
          </caption>
          <tbody>
            <tr>
              <th scope="row">sent</th>
              <td>
                {signature.received === undefined ? (
                  <em class="missing">no X-Webhook-Signature</em>
                ) : (
                  <Digits text={signature.received} other={right} />
                )}
              </td>
            </tr>
            <tr>
              <th scope="row">right</th>
              <td>
                <Digits text={right} other={signature.received ?? right} />
              </td>
            </tr>
          </tbody>
        </table>
      ))}
    </>
  )
}

/** A signature, with what is different in another one marked. */
function Digits({ text, other }: { readonly text: string; readonly other: string }) {
  const runs: { same: boolean; text: string }[] = []
  for (const [index, digit] of [...text].entries()) {
    const same = other[index] === digit
    const last = runs.at(-1)
    if (last?.same === same) last.text += digit
    else runs.push({ same, text: digit })
  }
  return <>{runs.map(({ same, text: run }) => (same ? <span>{run}</span> : <mark>{run}</mark>))}</>
}
