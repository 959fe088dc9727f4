import type { AttemptView } from '../src/delivery-view.ts'
import type { SignedText } from '../src/signed-texts.ts'
import { count } from './format.ts'

/** How much of a signed text is shown, in characters. */
const SHOWN = 6000

/** Whether the signature matches, and what is signed. */
export function Signature({ view }: { readonly view: AttemptView }) {
  const { signature, dot } = view.attempt
  if (signature === null) {
    return <p class="empty">Without the secret, nothing can be compared.</p>
  }
  const { expected, received, signed, unsigned, ambiguous } = signature
  const names = signed.map(({ part }) => part).filter(Boolean)
  return (
    <>
      {expected.map(({ secretName, equal }) => (
        <p class={equal ? 'ok' : dot === 'right' ? 'right' : 'no'}>
          {received === undefined
            ? '✗ There is no signature'
            : equal
              ? '✓ The signature matches'
              : '✗ The signature does not match'}
          {expected.length > 1 && ` the secret ${secretName}`}
        </p>
      ))}
      <h3>{received === undefined ? 'What a signature would cover' : 'What is signed'}</h3>
      <p class="quiet">
        {names.map((name, index) => (
          <>
            {index > 0 && ', then '}
            <b class={`part p${index}`}>{name}</b>
          </>
        ))}
        {names.includes('body') && ', byte for byte'}.{' '}
        {unsigned.length > 0 && (
          <>
            <s>Grey is not signed:</s> it can be changed on the way without anybody noticing.{' '}
          </>
        )}
        {ambiguous &&
          'The fields stand next to each other without a mark between them: text can be moved from one to the next.'}
      </p>
      <pre class="text">
        {signed.map((one) => (
          <Part {...one} index={names.indexOf(one.part)} />
        ))}
        {unsigned.map(({ part, text }) => (
          <s>
            {'\n'}
            {part}: {text}
          </s>
        ))}
      </pre>
      <details>
        <summary>Signatures as text</summary>
        <dl>
          <dt>arrived</dt>
          <dd>{received ?? 'none'}</dd>
          {expected.map(({ secretName, signature: made }) => (
            <>
              <dt>by {secretName}</dt>
              <dd>{made ?? 'only the service can sign'}</dd>
            </>
          ))}
        </dl>
      </details>
    </>
  )
}

function Part({ part, text, index }: SignedText & { readonly index: number }) {
  if (text === undefined) return <b class="no">(no {part})</b>
  return (
    <span class={`part p${index}`}>
      {text.slice(0, SHOWN)}
      {text.length > SHOWN && <s> … {count(text.length - SHOWN)} more</s>}
    </span>
  )
}
