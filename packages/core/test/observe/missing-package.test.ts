import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createReceiver, type ReceiverOptions, type Rejection } from '../../src/index.ts'
import { isPackageMissing } from '../../src/observe/missing-package.ts'
import { current, incoming, NOW, refusalOf } from '../deliveries.ts'

const NAME = '@webhook-receiver/diagnose'
const ADVICE = `To see why a signature does not match, run: npm install ${NAME}`

const missing = new Error(`Cannot find package '${NAME}' imported from /srv/app/index.js`)

vi.mock('@webhook-receiver/diagnose', () => ({
  diagnose() {
    throw missing
  },
}))

const error = vi.spyOn(console, 'error')
const warn = vi.spyOn(console, 'warn')

beforeEach(() => {
  error.mockReset().mockReturnValue()
  warn.mockReset().mockReturnValue()
  // What a process remembers.
  const said = Reflect.get(globalThis, Symbol.for('@webhook-receiver/core.missingDiagnose'))
  Reflect.set(said, 'install', false)
})

afterEach(() => {
  vi.unstubAllEnvs()
})

/** What two receivers make of four forged requests, two of which come in the same second. */
async function forgeries(options: ReceiverOptions) {
  const details: string[] = []
  const rejections: Rejection[] = []
  for (let count = 0; count < 2; count++) {
    let time = NOW
    const onRejected = (rejection: Rejection) => void rejections.push(rejection)
    const receiver = createReceiver(current.secret, { now: () => time, onRejected, ...options })
    for (const elapsed of [0, 10]) {
      time += elapsed
      const forged = incoming('message.read', { body: new Uint8Array(3) })
      const refused = await refusalOf(receiver.receive(forged))
      expect(refused).toMatchObject({ status: 401, reason: 'signature_mismatch' })
      details.push(refused.detail)
    }
  }
  return { details, rejections }
}

describe('without the package', () => {
  test('`diagnose: true` says once in a process what to install, and changes no answer', async () => {
    const off = await forgeries({ diagnose: false })
    const on = await forgeries({ diagnose: true })
    expect(on.details).toEqual(off.details)
    expect(on.rejections).toEqual(
      off.rejections.map(() => expect.not.objectContaining({ diagnosis: expect.anything() })),
    )
    expect(error.mock.calls).toEqual([[`[webhook-receiver] The diagnosis failed. ${ADVICE}`]])
    expect(warn).not.toHaveBeenCalled()
  })

  test('development gives a hint once in a process, and no error', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    const { details } = await forgeries({})
    expect(details.join()).not.toMatch(/[Dd]iagnos/)
    expect(warn.mock.calls).toEqual([[`[webhook-receiver] ${ADVICE}`]])
    expect(error).not.toHaveBeenCalled()
  })
})

describe('an error says that the package is missing', () => {
  test.each([
    ['import of Node', missing.message],
    [
      'require of Node, and webpack',
      `Cannot find module '${NAME}'\nRequire stack:\n- /srv/app.cjs`,
    ],
    ['Vite', `Could not resolve "${NAME}" imported by "@webhook-receiver/core".`],
    ['workerd', `No such module "${NAME}".`],
    ['a browser', `Failed to resolve module specifier '${NAME}'`],
    [
      'Yarn',
      `@webhook-receiver/core tried to access ${NAME} (a peer dependency) but it isn't provided`,
    ],
  ])('%s', (_, message) => {
    expect(isPackageMissing(new Error(message))).toBe(true)
  })
})

describe('an error does not say so', () => {
  const path = `/srv/node_modules/${NAME}`

  test.each([
    [
      'no file descriptor is free',
      new Error(`EMFILE: too many open files, open '${path}/dist/index.js'`),
    ],
    ['a file of the package is gone', new Error(`Cannot find module '${path}/dist/index.js'`)],
    [
      'the package lacks another',
      new Error(`Cannot find package '@webhook-receiver/core' imported from ${path}/dist/index.js`),
    ],
    [
      'a path of Windows',
      new Error(`EPERM: operation not permitted, open 'C:\\app\\${NAME}\\dist'`),
    ],
    ['a name that goes on', new Error(`Cannot find package '${NAME}/forms'`)],
    ['no error', undefined],
    ['an object that throws when it is read', Object.create(null)],
  ])('%s', (_, thrown) => {
    expect(isPackageMissing(thrown)).toBe(false)
  })
})
