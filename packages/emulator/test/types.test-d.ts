import {
  type Attempt,
  conversation,
  createEmulator,
  type DeliveryReport,
} from '@webhook-receiver/emulator'
import { expectTypeOf } from 'vitest'

const emulator = createEmulator({ apiKey: 'k', retries: [1], timestampForm: 'rfc3339' })

expectTypeOf(emulator.emit('message.read')).toEqualTypeOf<Promise<readonly DeliveryReport[]>>()
emulator.emit('message.read', { by: 'x' }, { instanceId: 'i', fault: 'concurrent-duplicate' })
emulator.run([{ event: 'message.sent', data: { n: 1 } }])
const silence = emulator.on('attempt', (attempt, delivery) => {
  expectTypeOf(attempt).toEqualTypeOf<Attempt>()
  expectTypeOf(delivery).toEqualTypeOf<DeliveryReport>()
})
silence()
expectTypeOf(emulator).toExtend<AsyncDisposable>()

// @ts-expect-error a misspelled event
emulator.emit('message.recieved')
// @ts-expect-error a misspelled fault
emulator.emit('message.read', {}, { fault: 'duplicates' })
// @ts-expect-error there is no event of that name
emulator.on('attempts', () => {})
// @ts-expect-error a webhook that is listed has no secret
emulator.webhooks()[0]?.secret
// @ts-expect-error a misspelled option
createEmulator({ apiKey: 'k', retry: [] })
// @ts-expect-error a form that there is not
createEmulator({ apiKey: 'k', timestampForm: 'unix' })

const wider = createEmulator({ apiKey: 'k', extraEvents: ['message.reacted'] })
wider.emit('message.reacted', { emoji: '👍' })
wider.run(conversation())
// @ts-expect-error neither one of the seven nor an extra one
wider.emit('message.edited')
