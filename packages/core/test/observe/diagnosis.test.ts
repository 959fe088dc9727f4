import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import {
  createReceiver,
  type HeaderLookup,
  type ReceiverOptions,
  type Rejection,
} from '../../src/index.ts'
import {
  type Changes,
  current,
  expectRefusal,
  incoming,
  NOW,
  previous,
  refusalOf,
  signed,
} from '../deliveries.ts'

let log: MockInstance<typeof console.error>

beforeEach(() => {
  log = vi.spyOn(console, 'error').mockReturnValue()
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

const name = 'message.received'
const text = Buffer.from(signed(name).body).toString()
const rewritten = { body: Buffer.from(JSON.stringify(JSON.parse(text), null, 2)) }
const upper = { headers: { 'x-webhook-signature': signed(name).signature.toUpperCase() } }

/** A receiver, and the rejections it tells. */
function receiving(options: ReceiverOptions = {}) {
  const reported: Rejection[] = []
  const clock = { time: NOW }
  const receiver = createReceiver(current.secret, {
    now: () => clock.time,
    onRejected: (rejection) => void reported.push(rejection),
    ...options,
  })
  return {
    reported,
    clock,
    receive: ({ header, ...changes }: Changes & { readonly header?: HeaderLookup } = {}) =>
      refusalOf(receiver.receive({ ...incoming(name, changes), ...(header && { header }) })),
  }
}

test('is off by default', async () => {
  const { reported, receive } = receiving()
  const error = await receive(rewritten)
  expect(error.detail).not.toContain('Diagnosis')
  expect(reported[0]).not.toHaveProperty('diagnosis')
})

test.each(['development', 'production', 'test', ''])(
  'NODE_ENV %j decides the default',
  async (env) => {
    vi.stubEnv('NODE_ENV', env)
    const { reported, receive } = receiving()
    await receive(rewritten)
    expect('diagnosis' in (reported[0] ?? {})).toBe(env === 'development')
  },
)

test('a runtime without an environment, or with one that may not be read, is not in development', async () => {
  const locked = {
    get env(): never {
      throw new Error('not allowed')
    },
  }
  for (const process of [undefined, {}, locked]) {
    vi.stubGlobal('process', process)
    const { reported, receive } = receiving()
    vi.unstubAllGlobals()
    await receive(rewritten)
    expect(reported[0]).not.toHaveProperty('diagnosis')
  }
})

test('false wins over NODE_ENV', async () => {
  vi.stubEnv('NODE_ENV', 'development')
  const { reported, receive } = receiving({ diagnose: false })
  await receive(rewritten)
  expect(reported[0]).not.toHaveProperty('diagnosis')
})

test.each([null, 1, 'yes', {}])('anything but a boolean is a TypeError: %j', (diagnose) => {
  const create = () => Reflect.apply(createReceiver, undefined, [current.secret, { diagnose }])
  expect(create).toThrow(TypeError)
  expect(create).toThrow('`diagnose` should be true or false; got ')
})

describe('with the option on', () => {
  test('detail, onRejected and the default log carry the finding', async () => {
    const { reported, receive } = receiving({ diagnose: true })
    const error = await receive(rewritten)
    expect(error).toMatchObject({ status: 401, reason: 'signature_mismatch' })
    expect(error.detail).toMatch(
      /^The signature does not match .* Diagnosis: body_reserialized, certain\. The signature matches the body written as JSON without white space\. Give /,
    )
    expect(reported).toMatchObject([
      { detail: error.detail, diagnosis: [{ code: 'body_reserialized', certainty: 'certain' }] },
    ])
    const { receive: logged } = receiving({ diagnose: true, onRejected: undefined })
    const { detail } = await logged(rewritten)
    expect(log.mock.calls).toEqual([[`[webhook-receiver] 401 signature_mismatch: ${detail}`]])
  })

  test('the detail carries it also where onRejected is false', async () => {
    const { receive } = receiving({ diagnose: true, onRejected: false })
    expect((await receive(rewritten)).detail).toContain('Diagnosis: body_reserialized')
  })

  test('the sender gets the same answer, byte for byte', async () => {
    for (const changes of [rewritten, upper, { body: new Uint8Array(0) }]) {
      const answers = [false, true].map(async (diagnose) => {
        const error = await receiving({ diagnose }).receive(changes)
        const response = error.getResponse()
        const { status, headers } = response
        return { status, headers: [...headers], body: await response.text(), stack: error.stack }
      })
      const [off, on] = await Promise.all(answers)
      expect(on).toEqual(off)
      expect(on?.status).toBe(401)
    }
  })

  test('a malformed signature is judged by its shape, and the body is not read', async () => {
    const readBody = vi.fn(() => signed(name).body)
    const { reported, receive } = receiving({ diagnose: true })
    const error = await receive({ ...upper, readBody })
    expect(error.reason).toBe('signature_malformed')
    expect(error.detail).toContain('Diagnosis: signature_upper_case, possible.')
    expect(reported[0]?.diagnosis).toMatchObject([{ certainty: 'possible' }])
    expect(readBody).not.toHaveBeenCalled()
  })

  test('a forged request is told as unknown', async () => {
    const { reported, receive } = receiving({ diagnose: true })
    await receive({ headers: { 'x-webhook-signature': `sha256=${'ab'.repeat(32)}` } })
    expect(reported[0]?.diagnosis).toMatchObject([{ code: 'unknown' }])
  })

  test('the secret that matches is named', async () => {
    const receiver = createReceiver(
      { old: previous.secret, new: current.secret },
      { now: () => NOW, diagnose: true, onRejected: false },
    )
    const attempt = receiver.receive(incoming(name, rewritten))
    const { detail } = await expectRefusal(attempt, 401, 'signature_mismatch')
    expect(detail).toContain('Diagnosis: body_reserialized, certain (with the secret named "new").')
    expect(detail).not.toContain('whsec_')
  })

  test('a secret function is served as well', async () => {
    const receiver = createReceiver(() => current.secret, { now: () => NOW, diagnose: true })
    const error = await refusalOf(receiver.receive(incoming(name, rewritten)))
    expect(error.detail).toContain('Diagnosis: body_reserialized')
  })

  test('one diagnosis is made a second, by the clock of the receiver', async () => {
    const { reported, clock, receive } = receiving({ diagnose: true })
    const diagnosed = async (time: number) => {
      clock.time = time
      await receive(rewritten)
      return reported.at(-1)?.diagnosis !== undefined
    }
    expect(await diagnosed(NOW)).toBe(true)
    expect(await diagnosed(NOW)).toBe(false)
    expect(await diagnosed(NOW + 999)).toBe(false)
    expect(await diagnosed(NOW + 1000)).toBe(true)
    expect(await diagnosed(NOW + 1500)).toBe(false)
    expect(await diagnosed(NOW - 3_600_000), 'a clock that was set back').toBe(true)
    expect(await diagnosed(Number.NaN), 'a clock that is broken').toBe(false)
    expect(await Promise.all([receive(upper), receive(upper)])).toHaveLength(2)
  })

  test('a mismatch in between tells the last finding, and what to do', async () => {
    const { reported, receive } = receiving({ diagnose: true })
    await receive(rewritten)
    const { detail } = await receive({ body: new Uint8Array(3) })
    expect(detail).toMatch(
      / the 3 bytes of the body.* Not diagnosed, because there is at most one diagnosis per second; the last finding is body_reserialized, certain\. Send the request again in a second\.$/,
    )
    expect(reported[1]).not.toHaveProperty('diagnosis')
    expect(reported[1]?.detail).toBe(detail)
  })

  test('a malformed signature is diagnosed at any time, and spends nothing', async () => {
    const { reported, receive } = receiving({ diagnose: true })
    for (const changes of [upper, upper, rewritten, upper]) await receive(changes)
    expect(reported.map(({ diagnosis }) => diagnosis?.[0].code)).toEqual([
      'signature_upper_case',
      'signature_upper_case',
      'body_reserialized',
      'signature_upper_case',
    ])
  })

  test('no diagnosis begins before the last one has ended', async () => {
    const { reported, clock, receive } = receiving({ diagnose: true })
    const first = receive({ body: Buffer.from(`[${'{"a":1},'.repeat(1000)}1]`) })
    // Until the receiver has come to the diagnosis.
    for (let times = 0; times < 20; times++) await Promise.resolve()
    clock.time = NOW + 5000
    const { detail } = await receive(rewritten)
    expect(detail).toContain('another request is being diagnosed')
    await first
    await receive(rewritten)
    expect(reported.map(({ diagnosis }) => diagnosis?.[0].code)).toEqual([
      undefined,
      'unknown',
      'body_reserialized',
    ])
  })

  test('of many at once one is diagnosed', async () => {
    const { reported, receive } = receiving({ diagnose: true })
    await Promise.all(Array.from({ length: 50 }, () => receive(rewritten)))
    expect(reported.filter(({ diagnosis }) => diagnosis)).toHaveLength(1)
  })

  test('another refusal is not diagnosed, and spends nothing', async () => {
    const { reported, receive } = receiving({ diagnose: true })
    await receive({ headers: { 'x-webhook-signature': undefined } })
    await receive({ method: 'GET' })
    await receive(rewritten)
    expect(reported.map(({ diagnosis }) => diagnosis?.[0].code)).toEqual([
      undefined,
      undefined,
      'body_reserialized',
    ])
  })

  test('a diagnosis that fails changes nothing', async () => {
    const { reported, receive } = receiving({ diagnose: true })
    let asked = 0
    const { header } = incoming(name)
    const once = (field: string) => {
      if (field === 'content-encoding' && asked++ > 0) throw new Error('no')
      return header(field)
    }
    const error = await receive({ ...rewritten, header: once })
    expect(error.reason).toBe('signature_mismatch')
    expect(reported[0]).not.toHaveProperty('diagnosis')
    expect(log).toHaveBeenCalledWith(
      expect.stringContaining('The diagnosis failed'),
      new Error('no'),
    )
  })
})
