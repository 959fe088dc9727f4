import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { EVENTS, type Reason, WebhookError } from '@webhook-receiver/core'
import { CODES, CONTRACT_HEADERS, DEFAULTS, REASONS } from '@webhook-receiver/core/internal'
import { signDelivery } from '@webhook-receiver/core/testing'
import { describe, expect, test } from 'vitest'
import { document, validatorOf } from './validators.ts'

const openapi = document('openapi.json')
const asyncapi = document('asyncapi.json')
const { post: delivery } = openapi.webhooks.delivery
const { Registration, CreatedWebhook: _, Delivery, ...BODIES } = openapi.components.schemas
const NAMES = [...EVENTS, 'unknown-event']

test('each event has a schema, and each document is an entry of the package', async () => {
  const schemas = (await readdir(join(import.meta.dirname, '../schemas'))).sort()
  expect(schemas).toEqual(['delivery', 'envelope', ...NAMES].map((name) => `${name}.json`).sort())
  const files = [
    'openapi.json',
    'asyncapi.json',
    'scheme.json',
    ...schemas.map((name) => `schemas/${name}`),
  ]
  const paths = [...files, 'package.json'].map((name) => `./${name}`)
  const { exports } = document('package.json')
  expect(exports).toEqual(Object.fromEntries(paths.map((path) => [path, path])))
})

test('all documents have the same schemas of bodies', () => {
  const files = NAMES.map((name) => document(`schemas/${name}.json`))
  const { $schema, ...all } = document('schemas/delivery.json')
  expect(files).toEqual(Object.values(BODIES).map((body) => ({ $schema, ...Object(body) })))
  expect(all.$defs).toEqual(BODIES)
  expect(JSON.stringify({ ...Delivery, $defs: BODIES })).toBe(
    JSON.stringify(all).replaceAll('#/$defs/', '#/components/schemas/'),
  )
  const { Headers: __, ...bodies } = asyncapi.components.schemas
  expect(bodies).toEqual(BODIES)
  const titles = Object.keys(BODIES)
  expect(titles).toHaveLength(NAMES.length)
  expect(Object.keys(asyncapi.components.messages)).toEqual(titles)
  expect(Object.keys(asyncapi.channels.deliveries.messages)).toEqual(titles)
  expect(asyncapi.operations.receiveDelivery.messages).toHaveLength(titles.length)
})

test('the events are those of core', () => {
  expect(Registration.properties.events.items.enum).toEqual(EVENTS)
  expect(BODIES.UnknownEvent.properties.event.not.enum).toEqual(EVENTS)
  const { examples } = delivery.requestBody.content['application/json']
  expect(Object.keys(examples)).toEqual(EVENTS)
  for (const event of EVENTS) {
    expect(validatorOf(document(`schemas/${event}.json`))(examples[event].value)).toBe(true)
  }
})

test('the headers are those that core signs, in both descriptions', async () => {
  const { Headers } = asyncapi.components.schemas
  const parameters: { name: string; required: boolean; schema: object; description: string }[] =
    delivery.parameters
  expect(parameters.map(({ name }) => name).sort()).toEqual(Object.values(CONTRACT_HEADERS).sort())
  expect(Headers).toEqual({
    type: 'object',
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, { ...schema, description }]),
    ),
  })
  expect(Headers.required).toEqual([CONTRACT_HEADERS.signature, CONTRACT_HEADERS.timestamp])
  const signed = await signDelivery('whsec_contract', new Uint8Array())
  const headers = new globalThis.Headers(signed.headers)
  for (const { name, schema, required } of parameters) {
    if (required) expect(validatorOf(schema)(headers.get(name))).toBe(true)
  }
})

describe('the responses of a receiver', () => {
  // The default format has no check by GET.
  const { 403: _, ...codes } = CODES

  test('are those of core, and no others', () => {
    expect(Object.keys(delivery.responses).sort()).toEqual(['2XX', ...Object.keys(codes)].sort())
  })

  test.each(Object.entries(codes))(
    '%s has the code, the reasons and the headers of core',
    (status, code) => {
      // Object.keys gives strings only.
      const reasons = (Object.keys(REASONS) as Reason[]).filter(
        (reason) => REASONS[reason].status === Number(status),
      )
      const { description, headers = {} } = delivery.responses[status]
      const names = reasons.map((reason) => `\`${reason}\``).join(', ')
      expect(description.split('\n\n')[1]).toBe(
        `Code: \`${code}\`. Reasons in the log of the receiver: ${names}.`,
      )
      // One reason of 503 closes the connection, so its header is among those that a status may have.
      const sent = reasons.flatMap((reason) => Object.entries(new WebhookError(reason, '').headers))
      const described = sent.map(([name, value]) => [
        name,
        { schema: { type: 'string', examples: [value] } },
      ])
      expect(headers).toEqual(Object.fromEntries(described))
      expect(asyncapi.info.description).toContain(
        `\n- **${status}** ${description.replaceAll('\n\n', ' ')}`,
      )
    },
  )
})

test('the choices have the limits of core, in both descriptions', () => {
  const [choices] = openapi.info.description.split('\n\n## Registration')
  expect(asyncapi.info.description.startsWith(choices)).toBe(true)
  expect(choices).toContain(`| at most ${DEFAULTS.limit.toLocaleString('en')} bytes;`)
  expect(choices).toContain(`| ${DEFAULTS.tolerance} seconds in the past`)
  expect(choices).toContain(`| ${DEFAULTS.bodyTimeout} seconds, then 408 |`)
})

test('Redocly finds no error and nothing to warn of in both descriptions', async () => {
  const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json')
  const command = join(dirname(manifest), 'bin/cli.js')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [command, 'lint', 'openapi.json', 'asyncapi.json', '--extends=recommended', '--format=json'],
    {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  ).catch((failed: { stdout: string }) => failed)
  // One report behind the other.
  const reports: unknown[] = JSON.parse(`[${stdout.replaceAll('}{', '},{')}]`)
  const clean = { totals: { errors: 0, warnings: 0 }, problems: [] }
  expect(reports).toMatchObject([clean, clean])
})
