import { beforeEach, expect, type MockInstance, test, vi } from 'vitest'

let warn: MockInstance<typeof console.warn>

beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockReturnValue()
})

/** The module as a process that has only just started has it. */
async function fresh() {
  vi.resetModules()
  const warned = Reflect.get(globalThis, Symbol.for('@webhook-receiver/core.warned'))
  warned?.clear()
  return await import('../../src/index.ts')
}

test('warns once in a process of secrets without the prefix whsec_', async () => {
  const { createReceiver } = await fresh()
  createReceiver('MARK1')
  createReceiver('MARK2')
  createReceiver({ a: 'MARK3', b: 'MARK4' })
  expect(warn.mock.calls).toEqual([
    [expect.stringContaining('The secret does not begin with "whsec_"')],
  ])
  expect(JSON.stringify(warn.mock.calls)).not.toContain('MARK')
})

test('warns once where a process has loaded core twice', async () => {
  const first = await fresh()
  vi.resetModules()
  const second = await import('../../src/index.ts')
  expect(second.createReceiver).not.toBe(first.createReceiver)
  second.createReceiver('MARK1')
  first.createReceiver('MARK2')
  second.createReceiver('MARK3')
  expect(warn).toHaveBeenCalledTimes(1)
})

test.each(['WHSEC_MARK', 'a whsec_MARK'])(
  'warns of %j, and names the secret where it has a name',
  async (secret) => {
    const { createReceiver } = await fresh()
    createReceiver({ good: 'whsec_0123456789', odd: secret })
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^\[webhook-receiver\] The secret named "odd" does not begin/)],
    ])
  },
)

test('warns of what a secret function gives when it gives it, and only then', async () => {
  const { createReceiver } = await fresh()
  const { incoming } = await import('../deliveries.ts')
  const receiver = createReceiver(() => 'MARK', { onRejected: false })
  expect(warn).not.toHaveBeenCalled()
  for (let times = 0; times < 3; times++) {
    await expect(receiver.receive(incoming('message.read'))).rejects.toMatchObject({
      status: 401,
      reason: 'signature_mismatch',
    })
  }
  expect(warn).toHaveBeenCalledTimes(1)
})
