import { duration } from '@webhook-receiver/core/internal'
import { schemeValueOf, signingWords } from '@webhook-receiver/schemes/neighbours'
import { Caret, namesFor, SignedParts } from '../page/signature.tsx'
import type { Result } from './examine.ts'
import type { Service } from './services.ts'

/** The verdict, the cause, the fix, and where the bytes part. */
export function Outcome({
  result,
  service: { scheme, title },
}: {
  readonly result: Result
  readonly service: Service
}) {
  const { isValid, status, reason, sentence, fix, findings, age, signed, difference } = result
  const [first] = findings
  const tone = isValid ? 'good' : status === undefined && !fix ? 'none' : 'bad'
  const value = schemeValueOf(scheme)
  return (
    <>
      <div class={`outcome ${tone}`} role="status">
        {isValid && <b class="pill">✓ valid</b>}
        {status !== undefined && (
          <b class="pill">
            ✗ {status} {reason}
          </b>
        )}
        <p>
          <strong>{withCode(sentence)}</strong>
        </p>
        {fix && !isValid && (
          <p>
            <b>Fix:</b> {withCode(fix)}
          </p>
        )}
        {first && first.code !== 'unknown' && (
          <p class="quiet">
            <code>{first.code}</code>{' '}
            {first.certainty === 'certain'
              ? '· certain: with this mistake, the whole signature matches.'
              : '· possible: nothing that was tried leads to this signature.'}
          </p>
        )}
        {age !== undefined && (
          <p>
            It was signed {duration(Math.round(age))} ago. A server rejects it now as{' '}
            <code>timestamp_too_old</code>: it accepts {duration(scheme.tolerance)}.
          </p>
        )}
      </div>
      {difference && (
        <figure>
          <figcaption>Where it differs</figcaption>
          <Caret {...difference} names={namesFor(difference)} />
        </figure>
      )}
      {signed.length > 0 && (
        <figure>
          <figcaption>What {title} signs</figcaption>
          {value && <p class="quiet">{signingWords(value).signing}.</p>}
          <SignedParts signed={signed} />
        </figure>
      )}
    </>
  )
}

/** What is between backticks in the sentences of the packages. */
function withCode(sentence: string) {
  return sentence.split('`').map((text, at) => (at % 2 === 1 ? <code key={at}>{text}</code> : text))
}
