import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signedSample } from '@webhook-receiver/checks/signed-sample.mjs'
import type { Scheme } from '@webhook-receiver/core'
import { expect, test } from 'vitest'
import { awsSns } from '../src/aws-sns/index.ts'
import { serviceFile, withSamples } from '../src/service-file.ts'
import { receive } from './signed.ts'
import { ALL } from './vectors.ts'

const FOLDER = join(import.meta.dirname, '../services')
const schemes: readonly Scheme[] = [...ALL, awsSns()]
const files = readdirSync(FOLDER).map((name) => name.replace(/\.json$/, ''))
const services = schemes.flatMap((scheme) => {
  const file = serviceFile(scheme.name)
  return file ? [{ name: scheme.name, scheme, file }] : []
})
const samples = services.flatMap(({ name, scheme, file }) =>
  Object.keys(file.samples).map((event) => ({ name, event, scheme: withSamples(scheme) })),
)

test('there is a file for each scheme, and a scheme for each file', () => {
  expect(files.sort()).toEqual(schemes.map(({ name }) => name).sort())
})

const PROPERTIES = {
  required: 'title words variable where settings tools order retries source mistakes samples',
  optional:
    'documentation waits retriesFor largest reply alike storeless sdk types headers shows idBegins',
}

test.each(services)('the file of $name has these properties and no others', ({ file }) => {
  const [required, optional] = [PROPERTIES.required.split(' '), PROPERTIES.optional.split(' ')]
  expect(Object.keys(file)).toEqual(expect.arrayContaining(required))
  expect([...required, ...optional]).toEqual(expect.arrayContaining(Object.keys(file)))
  expect(file.variable).toMatch(/^[A-Z][A-Z\d_]+$/)
  expect(file.source).toMatch(/^https:\/\//)
  for (const text of [file.where, file.order, file.retries, ...file.settings])
    expect(text).toMatch(/[.)]$/)
  for (const sample of Object.values(file.samples))
    expect(['title', 'body', 'headers']).toEqual(expect.arrayContaining(Object.keys(sample)))
})

test.each(samples)('a receiver accepts the sample $event of $name', async ({ event, scheme }) => {
  const url = 'https://example.com/webhooks?tenant=7'
  const { certificate = '', ...sent } = await signedSample(scheme, event, url)
  const receiving =
    scheme.name === 'aws-sns' ? awsSns({ fetch: async () => new Response(certificate) }) : scheme
  const options = { now: Date.now, ...(scheme.signsUrl && { publicUrl: url }) }
  const { delivery } = await receive(receiving, { url, ...sent }, options)
  expect(delivery).toMatchObject(scheme.hasEvent ? { event } : { scheme: scheme.name })
  if (scheme.hasId) expect(delivery).toMatchObject({ id: expect.stringMatching(/./) })
})

test('what the service sends beside the signature is sent with a sample', async () => {
  const { headers } = await signedSample(
    withSamples(ALL.find(({ name }) => name === 'github') as Scheme),
    'push',
    '',
  )
  expect(headers).toMatchObject({
    'x-github-event': 'push',
    'x-github-hook-id': '400000001',
    'user-agent': expect.stringMatching(/^GitHub-Hookshot/),
  })
})

test('a scheme without a file stays as it is', () => {
  const scheme = { name: '../package' } as Scheme
  expect(withSamples(scheme)).toMatchObject(scheme)
  expect(withSamples(scheme).sample('invoice.paid')).toEqual({})
})

test('no receiver loads any of it', () => {
  const source = join(import.meta.dirname, '../src')
  const importing = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) =>
      /read-service|service-file|services\/.*json/.test(readFileSync(join(source, name), 'utf8')),
    )
  expect(importing.sort()).toEqual(['read-service.ts', 'service-file.ts'])
})
