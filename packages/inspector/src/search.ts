import { type Attempt, type Delivery, requestOf, unpack } from './journal.ts'

/** The numbers of the deliveries that have a text in a header or a body, of a request or a response. */
export function searchDeliveries(deliveries: readonly Delivery[], text: string): readonly number[] {
  const wanted = text.toLowerCase()
  const has = (part: string) => part.toLowerCase().includes(wanted)
  return deliveries
    .filter(({ attempts }) => attempts.some((attempt) => textsOf(attempt).some(has)))
    .map(({ n }) => n)
}

function textsOf(attempt: Attempt): readonly string[] {
  const { headers, body } = requestOf(attempt)
  const response = attempt.response && unpack(attempt.response)
  const lines = [...headers, ...(response?.headers ?? [])].map((pair) => pair.join(': '))
  return [...lines, Buffer.from(body).toString(), response?.body ?? '']
}
