import type { AttemptView } from '../src/delivery-view.ts'
import type { Difference } from '../src/difference.ts'
import type { Comparison } from '../src/service.ts'
import type { SignedText } from '../src/signed-texts.ts'
import { count } from './format.ts'

/** How much of a signed text is shown, in characters. */
const SHOWN = 6000

/** Whether the signature matches, and what is signed. */
export function Signature({ view }: { readonly view: AttemptView }) {
  const { signature, difference, dot } = view.attempt
  if (signature === null) {
    return <p class="empty">Without the secret, nothing can be compared.</p>
  }
  const { expected, received, signed, unsigned, ambiguous } = signature
  const names = signed.map(({ part }) => part).filter(Boolean)
  return (
    <>
      <Match {...signature} isRight={dot === 'right'} />
      {difference && (
        <>
          <h3>Where it differs</h3>
          <Caret {...difference} names={namesFor(difference)} />
        </>
      )}
      <h3>{received === undefined ? 'What a signature would cover' : 'What is signed'}</h3>
      <p class="quiet">
        {signed.map(({ part, text }, index) => (
          <>
            {index > 0 && ', then '}
            <b class={`part p${names.indexOf(part)}`}>{part || `“${text}”`}</b>
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
      <SignedParts signed={signed} unsigned={unsigned} />
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

/** One line, also where there are several secrets: a delivery has to match one of them. */
function Match({
  expected,
  received,
  isRight,
}: Pick<Comparison, 'expected' | 'received'> & { readonly isRight: boolean }) {
  const matching = expected.filter(({ equal }) => equal)
  const namesOf = (secrets: Comparison['expected']) =>
    secrets.map(({ secretName }) => secretName).join(', ')
  if (matching.length > 0) {
    const which = expected.length > 1 && ` the secret ${namesOf(matching)}`
    return <p class="ok">✓ The signature matches{which}</p>
  }
  return (
    <p class={isRight ? 'right' : 'no'}>
      {received === undefined
        ? '✗ There is no signature'
        : expected.length > 1
          ? `✗ The signature matches none of the secrets ${namesOf(expected)}`
          : '✗ The signature does not match what arrived'}
    </p>
  )
}

/** The parts of what is signed, each in its colour. */
export function SignedParts({
  signed,
  unsigned = [],
}: {
  readonly signed: readonly SignedText[]
  readonly unsigned?: readonly SignedText[]
}) {
  const names = signed.map(({ part }) => part).filter(Boolean)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll, also from the keyboard.
    <pre class="text" tabIndex={0}>
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
  )
}

/** What the two texts of a difference are. */
export function namesFor({ where }: Difference): readonly [theirs: string, ours: string] {
  return where === undefined
    ? ['the sender signed', 'what arrived']
    : [`${where} should be`, 'it is']
}

/** Two texts below each other, with a mark at the first byte that differs. */
export function Caret({
  before,
  sent,
  here,
  at,
  names: [theirs, ours],
}: Difference & { readonly names: readonly [theirs: string, ours: string] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also from the keyboard.
    <pre class="caret" tabIndex={0}>
      <s>{theirs}</s>
      {`\n${before}`}
      <mark class="ok">{sent || '(nothing more)'}</mark>
      {'\n'}
      <s>{ours}</s>
      {`\n${before}`}
      <mark class="no">{here || '(nothing more)'}</mark>
      {`\n${' '.repeat(Array.from(before).length)}^ byte ${count(at)}`}
    </pre>
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
