import { createReceiver, WebhookError } from '@webhook-receiver/core'
import { rejection } from '@webhook-receiver/core/adapter'

/** Gives each case to `receive`, as an adapter does, and tells the outcome and how often the application ran. */
export async function judgeInside({ cases, secret, now }) {
  const receiver = createReceiver(secret, { now, onRejected: false })
  const results = []
  for (const { id, method, headers, body } of cases) {
    const bytes = bytesOf(body)
    const incoming = {
      method,
      header: (name) => headerOf(headers, name),
      readBody: async (limit) => {
        if (bytes.length > limit) throw rejection('body_too_large', { limit })
        return bytes
      },
      context: undefined,
    }
    results.push({ id, ...(await outcomeOf(receiver, incoming)) })
  }
  return results
}

async function outcomeOf(receiver, incoming) {
  let delivery
  try {
    delivery = (await receiver.receive(incoming)).delivery
  } catch (error) {
    const outcome = error instanceof WebhookError ? String(error.status) : `threw ${error}`
    return { outcome, runs: 0, polluted: 'polluted' in {} }
  }
  // The application fails where it is asked to.
  const outcome = delivery.data.data.boom === true ? '500' : '204'
  return { outcome, runs: 1, polluted: holdsPrototypeKey(delivery) || 'polluted' in {} }
}

function holdsPrototypeKey(value) {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsPrototypeKey)
}

/** Several lines of one name come joined, as receivers are promised. */
function headerOf(headers, name) {
  const values = headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value)
  return values.length === 0 ? undefined : values.map((value) => value.trim()).join(', ')
}

function bytesOf(body) {
  if ('text' in body) return new TextEncoder().encode(body.text)
  if ('base64' in body) return fromBase64(body.base64)
  const { prefix, unit, times, suffix = '' } = body.generate
  const [head, one, tail] = [prefix, unit, suffix].map(fromBase64)
  const bytes = new Uint8Array(head.length + one.length * times + tail.length)
  bytes.set(head)
  for (let index = 0; index < times; index++) bytes.set(one, head.length + index * one.length)
  bytes.set(tail, bytes.length - tail.length)
  return bytes
}

function fromBase64(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
