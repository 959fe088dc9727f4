import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { prepareDestination } from '../src/secret/destination.ts'
import { folder } from './folder.ts'

// A disk that is full once the secret is there.
vi.mock('../src/secret/draft.ts', () => ({
  openDraft: async (path: string) => ({
    path: `${path}.draft`,
    write: () => Promise.reject(new Error('ENOSPC: no space left on device')),
    remove: async () => {},
  }),
}))

it('says a secret aloud rather than losing it', async () => {
  const stderr = new PassThrough()
  const destination = await prepareDestination(
    { secretFile: join(await folder(), 'never-written') },
    { stderr },
  )
  const { path, problem } = await destination.store('whsec_last-resort\u001b[2J')
  expect(path).toBeUndefined()
  expect(problem).toContain('ENOSPC')
  expect(stderr.read().toString()).toContain(
    'does not send the secret again. The secret is: whsec_last-resort\\u001b[2J\n',
  )
})
