import { type Attempt, type Delivery, requestOf, unpack } from './journal.ts'

/** The numbers of the deliveries that have each word in a header or a body, of a request or a response. */
export function searchDeliveries(deliveries: readonly Delivery[], text: string): readonly number[] {
  const words = text.toLowerCase().split(/\s+/)
  return deliveries
    .filter(({ attempts }) => {
      const all = attempts.flatMap(textsOf).join('\n').toLowerCase()
      return words.every((word) => all.includes(word))
    })
    .map(({ n }) => n)
}

function textsOf(attempt: Attempt): readonly string[] {
  const { headers, body } = requestOf(attempt)
  const response = attempt.response && unpack(attempt.response)
  const lines = [...headers, ...(response?.headers ?? [])].map((pair) => pair.join(': '))
  return [...lines, Buffer.from(body).toString(), response?.body ?? '']
}
