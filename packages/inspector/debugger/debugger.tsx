import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Button, useCopy } from '../page/controls.tsx'
import { examine, type Pasted, type Result } from './examine.ts'
import { exampleOf, hasExample } from './example.ts'
import { type Fragment, fragmentOf } from './fragment.ts'
import { Outcome } from './outcome.tsx'
import { mistakenIn, type RequestText, readRequestText } from './request-text.ts'
import { type Service, serviceNamed, serviceOf, services } from './services.ts'
import { testCode } from './test-code.ts'

/** What stands in the fields. */
interface Fields {
  readonly headers: string
  readonly body: string
  /** The bytes of a body that came in another way than by typing: a field for text changes line breaks. */
  readonly bytes?: Uint8Array | undefined
  readonly secret: string
  readonly url: string
  readonly method: string
  readonly receivedAt?: number | undefined
}

const EMPTY: Fields = { headers: '', body: '', secret: '', url: '', method: 'POST' }

export function Debugger({ begun }: { readonly begun: Fragment }) {
  const [service, setService] = useState<Service>(
    () => serviceNamed(begun.service ?? 'stripe') ?? (services[0] as Service),
  )
  const [fields, setFields] = useState<Fields>(EMPTY)
  const [done, copy] = useCopy()
  const [problem, setProblem] = useState('')
  /** Whether the request came at once, by a link or as an example: whoever types would see the form move. */
  const [isFilled, setFilled] = useState(false)
  const pasted = useMemo(() => pastedFrom(service, fields), [service, fields])
  const result = useResult(pasted)
  const change = (more: Partial<Fields>) => {
    setProblem('')
    setFields((before) => ({ ...before, ...more }))
  }

  /** Fills the fields from a request, and chooses the service that its headers show. */
  function fill({ headers, body, url, method, receivedAt }: RequestText) {
    setService((chosen) => serviceOf(headers, chosen) ?? chosen)
    change({
      headers: headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
      ...(body && { body: textOf(body), bytes: body }),
      ...(url !== undefined && { url }),
      ...(method !== undefined && { method }),
      receivedAt,
    })
  }

  async function showExample(of: Service) {
    const example = await exampleOf(of)
    if (!example) return
    setService(of)
    setFilled(true)
    setFields({ ...EMPTY, secret: example.secret })
    fill(example)
  }

  useEffect(() => {
    const named = serviceNamed(begun.service ?? '')
    if (begun.request) {
      setFilled(true)
      setFields(EMPTY)
      fill(begun.request)
    }
    if (named) setService(named)
    if (begun.isExample) void showExample(named ?? service)
  }, [begun])

  function clear() {
    setFields(EMPTY)
    setFilled(false)
  }

  function onHeaders(text: string) {
    const read = readRequestText(text)
    // A whole request: its parts go to their fields.
    if (read.body || read.url !== undefined || read.receivedAt !== undefined) return fill(read)
    change({ headers: text, receivedAt: undefined })
    setService((chosen) => serviceOf(read.headers, chosen) ?? chosen)
  }

  const { scheme, title } = service
  const mistaken = mistakenIn(fields.headers)
  const hasRequest = pasted.headers.length > 0 && !mistaken
  const share = () => {
    const { headers, body, url, receivedAt } = pasted
    const fragment = fragmentOf(scheme.name, { headers, body, url, receivedAt }, fields.secret)
    if (fragment === undefined)
      return setProblem('The secret is in the request: remove it there first.')
    const page = new URL('./debugger.html', location.href).href
    return copy('a link without the secret', page + fragment)
  }
  return (
    <div class={isFilled ? 'debugger filled' : 'debugger'}>
      <h1 class="hidden">Webhook signature debugger</h1>
      {begun.service !== undefined && !serviceNamed(begun.service) && (
        <p class="outcome none notice">
          The service of your log line, {begun.service}, is not here: its keys have to be fetched,
          or its scheme is your own. Choose one that signs like it, or pass <code>diagnose</code> to
          your receiver.
        </p>
      )}
      <form onSubmit={(event) => event.preventDefault()}>
        <div class="bar">
          <label>
            Service
            <select
              value={scheme.name}
              onChange={({ currentTarget: { value } }) =>
                setService(serviceNamed(value) ?? service)
              }
            >
              {services.map((one) => (
                <option value={one.scheme.name}>{one.title}</option>
              ))}
            </select>
          </label>
          {hasExample(scheme) && (
            <Button onClick={() => void showExample(service)}>Try an example</Button>
          )}
        </div>
        <label>
          Headers
          <small>or the whole request: a curl command, a capture, or HTTP</small>
          <textarea
            rows={6}
            value={fields.headers}
            placeholder={scheme.headers.map((name) => `${name}: …`).join('\n')}
            {...PLAIN}
            onInput={({ currentTarget: { value } }) => onHeaders(value)}
          />
        </label>
        <BodyField fields={fields} onChange={change} />
        {scheme.signsUrl && (
          <label>
            URL
            <small>as it is registered at {title}, which signs it</small>
            <input
              value={fields.url}
              placeholder="https://example.com/webhooks"
              {...PLAIN}
              onInput={({ currentTarget: { value } }) => change({ url: value })}
            />
          </label>
        )}
        <SecretField
          service={service}
          value={fields.secret}
          onInput={(secret) => change({ secret })}
        />
      </form>
      <section aria-label="Result">
        {hasRequest ? (
          result && <Outcome result={result} service={service} />
        ) : mistaken ? (
          <div class="outcome none notice" role="status">
            <p>
              <strong>This is not the headers.</strong>
            </p>
            <p>{mistaken}</p>
          </div>
        ) : (
          <div class="outcome none" role="status">
            <p>
              <strong>Paste a request that your server rejected.</strong>
            </p>
            <p>
              You see at once whether its signature is valid, and if it isn’t, which mistake it was
              and how to fix it.
            </p>
          </div>
        )}
        {hasRequest && result && (
          <p class="bar">
            <Button onClick={() => copy('a test for vitest', testCode(service, pasted, result))}>
              Copy as test
            </Button>
            <Button onClick={share}>Copy link</Button>
            <Button onClick={clear}>Clear</Button>
            <span role="status">{problem || done}</span>
          </p>
        )}
      </section>
    </div>
  )
}

/** For fields of code. */
const PLAIN = {
  autocomplete: 'off',
  autocapitalize: 'off',
  autocorrect: 'off',
  spellcheck: false,
} as const

function BodyField({
  fields: { body, bytes },
  onChange,
}: {
  readonly fields: Fields
  readonly onChange: (more: Partial<Fields>) => void
}) {
  const take = (read: Uint8Array) => onChange({ body: textOf(read), bytes: read })
  return (
    <div class="field">
      <label>
        Body
        <small>the bytes as received, not parsed and printed again</small>
        <textarea
          rows={8}
          value={body}
          {...PLAIN}
          onPaste={(event) => {
            const text = event.clipboardData?.getData('text/plain')
            // Only the whole of it: the field would turn CRLF into LF.
            if (!text?.includes('\r') || body !== '') return
            event.preventDefault()
            take(new TextEncoder().encode(text))
          }}
          onInput={({ currentTarget: { value } }) => onChange({ body: value, bytes: undefined })}
        />
      </label>
      <label class="file">
        <span>or load a file, whose bytes stay as they are</span>
        <input
          type="file"
          onChange={async ({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            if (file) take(new Uint8Array(await file.arrayBuffer()))
          }}
        />
      </label>
      {bytes && <small>{bytes.length.toLocaleString('en-US')} bytes, kept as they came.</small>}
    </div>
  )
}

function SecretField({
  service: { variable, scheme },
  value,
  onInput,
}: {
  readonly service: Service
  readonly value: string
  readonly onInput: (secret: string) => void
}) {
  const [isShown, setShown] = useState(false)
  const called = scheme.secret?.called ?? 'the secret'
  return (
    <div class="field">
      <label>
        {`${called[0]?.toUpperCase()}${called.slice(1)}`}
        <small>what your server reads from {variable}</small>
        <textarea
          rows={value.includes('\n') ? 4 : 1}
          class={isShown ? '' : 'masked'}
          value={value}
          {...PLAIN}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isShown}
          onChange={({ currentTarget: { checked } }) => setShown(checked)}
        />
        show it
      </label>
    </div>
  )
}

function pastedFrom({ scheme }: Service, fields: Fields): Pasted {
  const { headers } = readRequestText(fields.headers)
  const body = fields.bytes ?? new TextEncoder().encode(fields.body)
  const { method, secret, url, receivedAt } = fields
  return { scheme, method, headers, body, secret, url, receivedAt }
}

/** Of the last request only, whatever takes longer. */
function useResult(pasted: Pasted): Result | undefined {
  const [result, setResult] = useState<Result>()
  const last = useRef<Pasted>(undefined)
  useEffect(() => {
    last.current = pasted
    void examine(pasted).then((found) => last.current === pasted && setResult(found))
  }, [pasted])
  return result
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
