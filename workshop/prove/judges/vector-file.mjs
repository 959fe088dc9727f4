/** The recorded vectors of a service as the text of their file, a line each. */
export function vectorFile(scheme, sdk, { version, sign, date }, vectors) {
  const lines = vectors.map((vector) => `    ${JSON.stringify(lineOf(vector))}`)
  const head = {
    scheme,
    ...(sdk.source ? { source: sdk.source } : { judge: sdk.package, version }),
    date,
    directions: ['verifies', ...(sign ? ['signs'] : [])],
  }
  const text = JSON.stringify(head, undefined, 2).slice(0, -2)
  return `${text},\n  "vectors": [\n${lines.join(',\n')}\n  ]\n}\n`
}

/** The signatures that cover the URL. */
const SIGNED_URL = ['x-twilio-signature', 'x-square-hmacsha256-signature', 'x-hubspot-signature-v3']

function lineOf({ name, origin, secret, url, headers, body, ours, judged, why }) {
  return {
    name,
    origin,
    secret,
    url: SIGNED_URL.some((header) => header in headers) ? url : undefined,
    headers,
    body: shortened(body),
    valid: ours,
    judged: judged ?? null,
    why,
  }
}

/** In base64; what is long is its beginning, a repeated part and its end. */
function shortened(body) {
  const digits = Buffer.from('0123456789')
  const from = body.indexOf(Buffer.concat([digits, digits, digits]))
  if (from < 0) return body.toString('base64')
  let times = 0
  while (body.subarray(from + times * 10, from + times * 10 + 10).equals(digits)) times++
  return {
    prefix: body.subarray(0, from).toString('base64'),
    unit: digits.toString('base64'),
    times,
    suffix: body.subarray(from + times * 10).toString('base64'),
  }
}
