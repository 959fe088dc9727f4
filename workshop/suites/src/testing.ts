import { sampleDelivery } from '@webhook-receiver/core/testing'
import { expect, test, vi } from 'vitest'

interface TestingSetup<Application> {
  /** An application that receives at /hooks with SECRET, and sets what `seen` returns of the X-Tenant and the target of a request. */
  create(work: () => void, seen: typeof seenHeaders): Application
  deliverTo(
    application: Application,
    event: string,
    data?: Readonly<Record<string, unknown>>,
    options?: object,
  ): Promise<Response>
  /** The secret of the applications. */
  readonly secret: string
  /** The clocks that may be fake, if the framework waits by others. */
  readonly toFake?: readonly 'Date'[]
}

function seenHeaders(
  tenant: unknown,
  target: string,
): { readonly 'X-Seen': string; readonly 'Set-Cookie': string[] } {
  return { 'X-Seen': `${tenant} ${target}`, 'Set-Cookie': ['a=1', 'b=2'] }
}

/** Tests `deliverTo` of an adapter: what it sends, and what it makes of the response. */
export function describeTesting<Application>({
  create,
  deliverTo,
  secret,
  toFake,
}: TestingSetup<Application>): void {
  test('deliverTo: a sample arrives', async () => {
    const open = openSockets()
    const event = 'message.received'
    const work = vi.fn()
    const options = { secret, path: '/hooks?shop=7', id: 'dlv_1', headers: { 'X-Tenant': 't1' } }
    const response = await deliverTo(create(work, seenHeaders), event, undefined, options)
    expect(response).toBeInstanceOf(Response)
    expect([response.status, response.body]).toEqual([204, null])
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.get('x-seen')).toBe('t1 /hooks?shop=7')
    const [[delivery] = []]: unknown[][] = work.mock.calls
    const { data } = sampleDelivery(event).data
    expect(delivery).toMatchObject({ id: 'dlv_1', event, known: true, data: { data } })
    // Nothing that keeps a process alive, or the test of an application would not end. A connection that is kept is closed after five seconds.
    await expect.poll(openSockets, { timeout: 4000 }).toBeLessThanOrEqual(open)
  })

  test('deliverTo: what must be rejected gets its status', async () => {
    const work = vi.fn()
    const application = create(work, seenHeaders)
    const send = (options: object) =>
      deliverTo(application, 'message.read', {}, { path: '/hooks', ...options })
    expect((await send({ secret: 'whsec_other' })).status).toBe(401)
    const response = await send({ secret, tamper: 'body' })
    expect(response.status).toBe(401)
    const rejected = { code: 'not_authenticated', message: 'not authenticated' }
    expect(await response.json()).toEqual(rejected)
    expect(work).not.toHaveBeenCalled()
  })

  test('deliverTo: neither a replaced fetch nor fake timers are in the way', async () => {
    // Created before them, as where a test imports its application.
    const application = create(() => {}, seenHeaders)
    vi.stubGlobal('fetch', vi.fn())
    vi.useFakeTimers({ now: new Date('2020-02-02'), ...(toFake && { toFake: [...toFake] }) })
    const response = deliverTo(application, 'message.read', {}, { secret, path: '/hooks' })
    expect((await response).status).toBe(204)
  })
}

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length
}
