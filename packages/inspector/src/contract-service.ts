import { CONTRACT_HEADERS, contract } from '@webhook-receiver/core/adapter'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { EVENTS } from '@webhook-receiver/emulator'
import { signAgain, signTampered, TAMPERINGS, withHeader } from '@webhook-receiver/emulator/request'
import type { Facts, Service } from './service.ts'
import { compareSignatures } from './verification.ts'

export const contractService: Service = {
  name: undefined,
  hasEvent: true,
  canSign: true,
  headers: contract.headers,
  events: EVENTS,
  tamperings: TAMPERINGS,
  facts: ({ body }) => bodyFacts(body),
  compare: compareSignatures,
  named(headers, body) {
    const { id } = bodyFacts(body)
    return id === undefined ? headers : withHeader(headers, CONTRACT_HEADERS.id, id)
  },
  sign: (request, { secret, now, tamper }) =>
    tamper ? signTampered(request, { secret, now }, tamper) : signAgain(request, { secret, now }),
  sample: (event, now) => JSON.stringify(sampleDelivery(event, { now }), null, 2),
}

function bodyFacts(body: Uint8Array): Facts {
  const short = (value: unknown) => (typeof value === 'string' ? value.slice(0, 200) : undefined)
  try {
    const { id, event, data } = JSON.parse(Buffer.from(body).toString()) ?? {}
    return { id: short(id), event: short(event), instance: short(data?.instance_id) }
  } catch {
    return {}
  }
}
