import type { AttemptView } from '../src/delivery-view.ts'
import { toBody } from './bodies.ts'
import { count } from './format.ts'

/** How much of the signed string is shown, in characters. */
const SHOWN = 6000

/** Whether the signature matches, and what is signed. */
export function Signature({ view }: { readonly view: AttemptView }) {
  const { signature, body } = view.attempt
  if (signature === null) {
    return <p class="empty">Without the secret, nothing can be compared.</p>
  }
  const { bytes, text } = toBody(body)
  const shown = text ?? new TextDecoder().decode(bytes)
  return (
    <>
      {signature.expected.map(({ secretName, equal }) => (
        <p class={equal ? 'ok' : 'no'}>
          {equal ? '✓ The signature matches' : '✗ The signature does not match'}
          {signature.expected.length > 1 && ` the secret ${secretName}`}
        </p>
      ))}
      <h3>What the signature covers</h3>
      {signature.unsigned ? (
        <OfService view={view} unsigned={signature.unsigned} />
      ) : (
        <>
          <p class="quiet">
            {count(signature.bytes)} bytes: the <b class="part time">timestamp</b> as it was sent, a
            full stop, and the <b class="part content">body</b>, byte for byte.
          </p>
          <pre class="signed">
            {signature.timestamp === undefined ? (
              <em class="no">no timestamp</em>
            ) : (
              <span class="part time">{signature.timestamp}</span>
            )}
            <span class="part stop">.</span>
            <span class="part content">{shown.slice(0, SHOWN)}</span>
            {shown.length > SHOWN && <em class="quiet"> … {count(shown.length - SHOWN)} more</em>}
          </pre>
        </>
      )}
      <details>
        <summary>Signatures as text</summary>
        <table class="headers">
          <tbody>
            <tr>
              <th scope="row">arrived</th>
              <td class="wire">{signature.received ?? 'none'}</td>
            </tr>
            {signature.expected.map(({ secretName, signature: expected }) => (
              <tr>
                <th scope="row">by {secretName}</th>
                <td class="wire">{expected ?? 'only the service can sign'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}

/** The documentation of the service says how its parts are put together. */
function OfService({
  view: { service, signedHeaders },
  unsigned,
}: {
  readonly view: AttemptView
  readonly unsigned: readonly string[]
}) {
  return (
    <p class="quiet">
      Verified as {service} signs, with the headers <code>{signedHeaders.join(', ')}</code>.{' '}
      {unsigned.length === 0
        ? 'The signature covers all of the delivery.'
        : `The signature does not cover: ${unsigned.join(', ')}.`}
    </p>
  )
}
