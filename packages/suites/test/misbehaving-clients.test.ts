import { createServer } from 'node:http'
import { type AdapterSetup, listening } from '@webhook-receiver/conformance'
import type { StartAdapter } from '@webhook-receiver/conformance/internal'
import { expect, test } from 'vitest'
import { runMisbehavingClients } from '../src/misbehaving/suite.ts'
import { startReference } from '../src/reference/receiver.ts'

// Shorter than the five minutes of a server without a limit, longer than anything else takes.
const timeout = 20

test.concurrent('finds a server that waits for a body for ever, and nothing else', async () => {
  const wrong = await wrongClients((setup) => startReference(setup))
  expect(wrong).toEqual([
    'sends its body at a byte per second',
    'sends its headers at a byte per second',
    'withholds its body',
  ])
})

test.concurrent('finds a handler that runs twice', async () => {
  const twice = (setup: AdapterSetup) => ({
    ...setup,
    onDelivery: async (delivery: unknown) => {
      await setup.onDelivery(delivery)
      await setup.onDelivery(delivery)
    },
  })
  const wrong = await wrongClients((setup) => startReference(twice(setup)))
  expect(wrong).toContain('sends two deliveries in one write')
  expect(wrong).toContain('resets after the body, before the response')
})

test.concurrent('finds a server that leaves a rejected body in the connection', async () => {
  const wrong = await wrongClients(() =>
    listening(
      createServer((_request, response) => {
        response.socket?.pause()
        response.writeHead(401).end()
      }),
    ),
  )
  expect(wrong).toContain('sends another delivery after a rejected request: a wrong signature')
})

async function wrongClients(start: StartAdapter): Promise<string[]> {
  const results = await runMisbehavingClients(start, { timeout })
  return results.filter(({ problems }) => problems.length > 0).map(({ name }) => name)
}
