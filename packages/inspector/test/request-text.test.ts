import { expect, it } from 'vitest'
import { mistakenIn, readRequestText } from '../debugger/request-text.ts'

const HEADERS = [
  ['Content-Type', 'application/json'],
  ['Stripe-Signature', "t=1,v1=it's"],
] as const
const BODY = `{"text":"it's \\\\ é"}`
const LINES = HEADERS.map((header) => `${header.join(': ')}\r\n`).join('')

const CAPTURE = {
  ...{ format: 'webhook-receiver-capture', version: 1, method: 'POST', target: '/stripe' },
  ...{ received_at: '2026-11-23T00:00:00.000Z', headers: HEADERS, body: { text: BODY } },
}

const inShell = (text: string) => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
const flags = HEADERS.map((header) => `  -H $'${inShell(header.join(': '))}' \\\n`).join('')

it.each([
  ['a capture', JSON.stringify(CAPTURE), BODY],
  ['curl', `$ curl -XPOST 'https://a/stripe' \\\n${flags}  --data-raw $'${inShell(BODY)}'`, BODY],
  ['HTTP', `POST /stripe HTTP/1.1\r\n${LINES}\r\n${BODY}`, BODY],
  ['lines as curl -v shows them', LINES.replaceAll(/^(?=.)/gm, '> '), undefined],
  ['an object of headers', JSON.stringify(Object.fromEntries(HEADERS)), undefined],
  ['pairs of headers', JSON.stringify(HEADERS), undefined],
  ['a flat list of headers', JSON.stringify(HEADERS.flat()), undefined],
  [
    'headers as Node prints them',
    `{\n  'Content-Type': 'application/json',\n  'Stripe-Signature': "t=1,v1=it's"\n}`,
    undefined,
  ],
])('reads %s', (_, text, body) => {
  const read = readRequestText(text)
  expect(read.headers).toEqual(HEADERS)
  expect(read.body && Buffer.from(read.body).toString()).toBe(body)
  expect(mistakenIn(text)).toBeUndefined()
})

it.each([
  ['{"id":"evt_1","data":{"object":{}}}', 'looks like a body'],
  ['hello', 'a name, a colon and a value'],
])('says of %j that it is not the headers', (text, said) => {
  expect(mistakenIn(text)).toContain(said)
})
