import {
  createDeliveryHandler,
  type DeliveryHandlerOptions,
  type LostDelivery,
  memoryStore,
} from '@webhook-receiver/core/handling'
import { expect, test, vi } from 'vitest'
import { expectRefusal } from '../deliveries.ts'
import { delivered, gate, refuseUnhandled, storeWith } from './stores.ts'

refuseUnhandled()

test('is acknowledged when its handler begins, and marked as done when it ends', async () => {
  const { promise, open } = gate()
  const store = storeWith()
  const handle = createDeliveryHandler(
    { any: () => promise },
    { store, acknowledgeEarly: { onLost: () => {} } },
  )
  expect(await handle(delivered())).toBe('acknowledged')
  expect(store.asked).toEqual(['claim'])
  open()
  await vi.waitFor(() => expect(store.asked).toEqual(['claim', 'complete']))
})

test('what fails after that goes to onLost, and is reported as failed and never as an answer', async () => {
  const lost: LostDelivery[] = []
  const steps: string[] = []
  const onRejected = vi.fn()
  const error = new Error('boom')
  const options = {
    acknowledgeEarly: { onLost: (one: LostDelivery) => void lost.push(one) },
    onHandling: ({ step }: { step: string }) => void steps.push(step),
    onRejected,
    // Has no effect: nobody waits.
    timeout: 0.001,
  } satisfies DeliveryHandlerOptions
  const { promise, open } = gate()
  const handle = createDeliveryHandler(
    { any: () => promise.then(() => Promise.reject(error)) },
    options,
  )
  const delivery = delivered()
  expect(await handle(delivery)).toBe('acknowledged')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(lost).toEqual([])
  open()
  await vi.waitFor(() => expect(lost).toEqual([{ delivery, error }]))
  expect(steps).toEqual(['claimed', 'failed'])
  expect(onRejected).not.toHaveBeenCalled()
})

test('a handler that throws before its first await is lost, too', async () => {
  const onLost = vi.fn()
  const any = () => {
    throw new Error('at once')
  }
  const handle = createDeliveryHandler({ any }, { acknowledgeEarly: { onLost } })
  expect(await handle(delivered())).toBe('acknowledged')
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce())
})

test('nothing is acknowledged early that has not begun', async () => {
  const onLost = vi.fn()
  const options = { onRejected: false, acknowledgeEarly: { onLost } } as const
  const store = memoryStore()
  const handle = createDeliveryHandler({ any: () => {} }, { ...options, store })
  const delivery = delivered()
  await handle(delivery)
  await vi.waitFor(async () => expect(await handle(delivery)).toBe('duplicate'))
  const claim = () => Promise.reject(new Error('down'))
  const away = createDeliveryHandler({ any: () => {} }, { ...options, store: storeWith({ claim }) })
  await expectRefusal(away(delivered()), 503, 'store_unavailable')
  expect(onLost).not.toHaveBeenCalled()
})

test.each([true, {}, 'yes', { onLost: 1 }, () => {}])(
  'refuses %s, which says not what happens to the lost',
  (value) => {
    const create = () =>
      Reflect.apply(createDeliveryHandler, undefined, [{}, { acknowledgeEarly: value }])
    expect(create).toThrow(TypeError)
    expect(create).toThrow('`acknowledgeEarly` should be an object with a function onLost')
  },
)

test('the types ask for onLost', () => {
  // @ts-expect-error
  const options: DeliveryHandlerOptions = { acknowledgeEarly: {} }
  expect(options).toBeDefined()
})
