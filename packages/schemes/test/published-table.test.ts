import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { namesOf } from '../src/engine/place.ts'
import {
  mistakesOf,
  neighbourScheme,
  otherDigest,
  type SchemeValue,
  sentenceOf,
  type sentOf,
  sharesSecret,
  signWrong,
  withDigests,
} from '../src/neighbours/index.ts'
import type { DefinedScheme } from '../src/scheme.ts'
import { serviceFile } from '../src/service-file.ts'
import { ALL, validRequest, verdict } from './vectors.ts'

const FOLDER = join(import.meta.dirname, '../../conformance')
const PARTS = { id: 'msg_1', time: 1_795_392_000_000, event: 'note.created', url: '' }

const recordedOf = (name: string) =>
  JSON.parse(readFileSync(join(FOLDER, `schemes/${name}.json`), 'utf8'))

test('the published table has what is known of each service; `vitest -u` writes it', async () => {
  const rows = ALL.map(({ name, value, unsigned, ambiguous, tolerance }) => {
    const { judge, source, version, date, directions, vectors } = recordedOf(name)
    const { title, retries, source: retriesAt } = serviceFile(name) ?? {}
    const { success = 204, patience = null, largest = null, replies = null } = value
    const row = {
      title,
      documentation: value.documentation,
      signs: value.signed,
      unsigned,
      ambiguous,
      windowSeconds: Number.isFinite(tolerance) ? tolerance : null,
      waitsSeconds: patience,
      retries: { automatic: value.retries ?? null, when: retries, source: retriesAt },
      success,
      replies: replies?.statuses ?? null,
      largestBytes: largest,
      judged: { by: judge ?? source, version, on: date, directions, vectors: vectors.length },
    }
    return [name, row]
  })
  await expect(`${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`).toMatchFileSnapshot(
    join(FOLDER, 'services.json'),
  )
})

/** Requests that a verifier accepts which makes one mistake, and that no verifier may accept. */
async function wrongOf(scheme: DefinedScheme) {
  const { secret, url, body: recorded } = validRequest(scheme)
  const parts = { ...PARTS, url }
  const body = scheme.compose?.(JSON.parse(Buffer.from(recorded).toString()), parts) ?? recorded
  const keyOf = (by: Pick<DefinedScheme, 'importKey'>) => by.importKey(secret, 'The secret')
  const right = await scheme.sign?.(await keyOf(scheme), body, parts)
  const rows = []
  for (const { code, what, neighbours } of mistakesOf(scheme.value)) {
    let chosen: SchemeValue | undefined
    let form: string | undefined
    const choose = (value: SchemeValue, sent: ReturnType<typeof sentOf>) => {
      for (const neighbour of neighbours(value, sent)) {
        ;({ value: chosen, form } = neighbour)
        return chosen
      }
      return undefined
    }
    const headers = await signWrong(scheme, choose, keyOf as never, body, parts)
    if (!headers || !chosen) continue
    const sentence = sentenceOf(what, scheme.value).replace('{form}', form ?? '')
    rows.push({ mistake: code, accepts: `what ${sentence}`, headers, body, by: chosen })
  }
  const name = namesOf(scheme.value.signature)[0] ?? ''
  const header = right?.[name] ?? ''
  const cut = withDigests(scheme.value, header, (digest) => otherDigest(scheme.value, digest))
  rows.push(
    {
      mistake: 'compares_a_prefix',
      accepts: 'a signature of which only the beginning is right',
      headers: { ...right, [name]: cut },
      body,
    },
    {
      mistake: 'writes_json_again',
      accepts: 'a body that is the same only when it is written as JSON again',
      headers: { ...right },
      body: Uint8Array.from([...body.slice(0, 1), 0x20, ...body.slice(1)]),
    },
  )
  return { secret, url, rows }
}

const signing = ALL.filter((scheme) => sharesSecret(scheme) && scheme.name !== 'twilio')

describe('vectors of wrong verifiers', () => {
  const made = Promise.all(signing.map(async (scheme) => ({ scheme, ...(await wrongOf(scheme)) })))

  test('are rejected by each scheme, and accepted by the verifier that is wrong', async () => {
    for (const { scheme, secret, url, rows } of await made) {
      expect(rows.length, scheme.name).toBeGreaterThan(4)
      for (const { mistake, headers, body, ...row } of rows) {
        const request = { secret, url, headers, body: Uint8Array.from(body) }
        expect(await verdict(scheme, request), `${scheme.name} ${mistake}`).not.toBe('valid')
        if (!('by' in row)) continue
        const wrong = neighbourScheme(row.by)
        expect(await verdict(wrong, request), `${scheme.name} ${mistake}`).toBe('valid')
      }
    }
  })

  test('are published; `vitest -u` writes them', async () => {
    const lines = (await made).flatMap(({ scheme, secret, url, rows }) =>
      rows.map(({ mistake, accepts, headers, body }) =>
        JSON.stringify({
          scheme: scheme.name,
          mistake,
          accepts,
          secret,
          url: scheme.signsUrl ? url : undefined,
          headers,
          body: Buffer.from(body).toString('base64'),
        }),
      ),
    )
    await expect(`[\n${lines.join(',\n')}\n]\n`).toMatchFileSnapshot(join(FOLDER, 'wrong.json'))
  })
})
