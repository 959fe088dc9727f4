import {
  createDeliveryHandler,
  createReceiver,
  parseStoredDelivery,
  webhookHandler,
} from '@webhook-receiver/core'
import { signedRequest } from '@webhook-receiver/core/testing'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { github, linear, stripe } from '../src/index.ts'

const secret = 'shared by hand with GitHub'

const issue = (action?: string, event = 'issues') =>
  signedRequest(
    event,
    { ...(action && { action }), issue: { number: 1 } },
    { secret, scheme: github },
  )

/** Which of the handlers with these names run, one after the other. */
function named(...names: string[]) {
  const ran: string[] = []
  const handlers = Object.fromEntries(names.map((name) => [name, async () => void ran.push(name)]))
  return { ran, handlers }
}

describe('the most specific handler runs', () => {
  const all = ['issues.opened', 'issues', 'any', 'repository_dispatch.deploy.prod']

  test.each([
    ['that of the action', 'opened', 'issues', 'issues.opened'],
    ['that of the event, for another action', 'closed', 'issues', 'issues'],
    ['`any`, for another event', 'opened', 'pull_request', 'any'],
    ['`any`, for an action with a part of the dots', 'deploy', 'repository_dispatch', 'any'],
    ['`any`, for an action that every object has', 'constructor', '__proto__', 'any'],
  ])('%s', async (_, action, event, expected) => {
    const { ran, handlers } = named(...all)
    const handle = webhookHandler(secret, handlers, { scheme: github })
    expect((await handle(await issue(action, event))).status).toBe(204)
    expect(ran).toEqual([expected])
  })

  test('with the event and the action of the delivery apart', async () => {
    const work = vi.fn()
    const handle = webhookHandler(secret, { 'Issue.create': work }, { scheme: linear })
    await handle(await signedRequest('Issue.create', undefined, { secret, scheme: linear }))
    expect(work.mock.calls[0]?.[0]).toMatchObject({
      scheme: 'linear',
      event: 'Issue',
      action: 'create',
      data: { type: 'Issue', action: 'create' },
    })
  })
})

test('the unsigned name of an event does not pick the handler of an action', async () => {
  const { ran, handlers } = named('issues.opened', 'repository_dispatch.deploy.prod')
  const onIgnored = vi.fn()
  const handle = webhookHandler(secret, handlers, { scheme: github, onIgnored })
  for (const [action, event] of [
    ['closed', 'issues.opened'],
    [undefined, 'issues.opened'],
    ['prod', 'repository_dispatch.deploy'],
  ] as const) {
    const request = await issue(action)
    request.headers.set('x-github-event', event)
    await handle(request)
  }
  expect(ran).toEqual([])
  expect(onIgnored.mock.calls.map(([{ event, action }]) => [event, action])).toEqual([
    ['issues.opened', 'closed'],
    ['issues.opened', undefined],
    ['repository_dispatch.deploy', 'prod'],
  ])
})

test('where a service has no actions, a dot is a part of the name of an event', async () => {
  const own = 'whsec_try_me_0123456789'
  const work = vi.fn()
  const handlers = { 'invoice.paid': work, any: () => expect.unreachable() }
  const handle = webhookHandler(own, handlers, { scheme: stripe })
  const data = { action: 'paid', object: {} }
  const signing = { secret: own, scheme: stripe }
  expect((await handle(await signedRequest('invoice.paid', data, signing))).status).toBe(204)
  expect(work).toHaveBeenCalledOnce()
})

describe('behind a queue', () => {
  test('the handler of the action runs, also where a schema has left the action out', async () => {
    const schemas = { issues: z.object({ issue: z.object({ number: z.number() }) }) }
    const receiver = createReceiver(secret, { scheme: github, schemas })
    const { delivery } = await receiver.receiveRequest(await issue('opened'))
    expect(delivery).toMatchObject({ action: 'opened', data: { issue: { number: 1 } } })
    expect(delivery.data).not.toHaveProperty('action')
    const { ran, handlers } = named('issues.opened', 'issues')
    const handle = createDeliveryHandler(handlers, { scheme: github })
    await handle(parseStoredDelivery(JSON.stringify(delivery), { scheme: github }))
    expect(ran).toEqual(['issues.opened'])
  })
})
