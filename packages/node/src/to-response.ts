import type { OutgoingHttpHeaders } from 'node:http'

/** Statuses whose response has no body, and for which Response takes none (Fetch, section 2.2.3). */
const WITHOUT_BODY = [204, 205, 304]

/** A response as a web-standard Response. */
export function toResponse(
  status: number,
  headers: Readonly<OutgoingHttpHeaders>,
  body: Uint8Array<ArrayBuffer>,
): Response {
  const all = new Headers()
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values ?? []].flat()) all.append(name, String(value))
  }
  return new Response(WITHOUT_BODY.includes(status) ? null : body, { status, headers: all })
}
