import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { ask, inspecting, POSTED, startInspector, startReceiver } from './setup.ts'

describe('who gets in', () => {
  it('responds with 403 without the whole token, whatever is asked for', async () => {
    const { url, get } = await startInspector()
    const { origin, pathname } = new URL(url)
    const token = pathname.slice(1, -1)
    const prefixes = Array.from(token, (_, length) => token.slice(0, length))
    const others = [token.toUpperCase(), token.toLowerCase(), token.slice(1), `${token}x`]
    const paths = [...prefixes, ...others].map((wrong) => `/${wrong}/`)
    for (const path of [...paths, '/api/events', `/${'x'.repeat(32)}/api/attempt?n=1`]) {
      const { status, text } = await ask(`${origin}${path}`, {})
      expect(status, path).toBe(403)
      expect(text).toContain('no valid token')
    }
    expect((await get()).status).toBe(200)
    expect((await ask(url.slice(0, -1), {})).headers.location).toBe(pathname)
  })

  it('responds with 421 to a foreign Host, also with the token', async () => {
    const { url, get } = await startInspector()
    const { port } = new URL(url)
    const own = ['localhost', '127.0.0.1', '[::1]'].map((host) => `${host}:${port}`)
    for (const Host of ['evil.example', `evil.example:${port}`, '127.0.0.1:1', ...own])
      expect((await get('', { headers: { Host } })).status, Host).toBe(
        own.includes(Host) ? 200 : 421,
      )
  })

  it('responds with 403 to another origin, and sends nothing', async () => {
    const receiver = await startReceiver()
    const { get } = await inspecting({ url: receiver.url })
    const body = JSON.stringify({ target: 'it', body: { text: '{}' } })
    for (const foreign of [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      const headers = { ...POSTED.headers, ...foreign }
      const { status } = await get('api/send', { ...POSTED, headers, body })
      expect(status, JSON.stringify(foreign)).toBe(403)
      expect((await get('api/events', { headers: foreign })).status).toBe(403)
    }
    expect(receiver.ids).toEqual([])
    const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }
    for (const [to, status] of Object.entries({ document: 200, iframe: 403 }))
      expect((await get('', { headers: { ...link, 'Sec-Fetch-Dest': to } })).status).toBe(status)
  })

  it('responds with 415 to a form, which another page could post without asking', async () => {
    const { get } = await startInspector()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const headers = { 'Content-Type': type }
      expect((await get('api/clear', { method: 'POST', headers })).status).toBe(415)
    }
  })

  it('responds with 405 to other methods and 404 to other paths', async () => {
    const { get } = await startInspector()
    const { status, headers } = await get('api/send', { method: 'DELETE' })
    expect([status, headers.allow]).toEqual([405, 'GET, POST'])
    for (const [path, expected] of Object.entries({
      ...{ 'api/nothing': 404, 'assets/..%2f..%2fpackage.json': 404, '../../package.json': 403 },
    }))
      expect((await get(path)).status, path).toBe(expected)
  })

  it('forbids inline code, other servers and frames on every response', async () => {
    const { url } = await startInspector()
    for (const address of [url, `${url}api/nothing`, new URL('/', url).href]) {
      const { headers } = await ask(address, {})
      const policy = headers['content-security-policy']
      for (const rule of [
        ...["default-src 'none'", "script-src 'self';", "frame-ancestors 'none'"],
        "require-trusted-types-for 'script'",
      ])
        expect(policy).toContain(rule)
      expect(policy).not.toContain('unsafe')
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      })
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  it('names the type of what it serves, which a browser does not guess', async () => {
    const { get } = await startInspector()
    const page = await get()
    const [, script] = /src="(?:\.\/)?([^"]+\.js)"/.exec(page.text) ?? []
    const [, style] = /href="(?:\.\/)?([^"]+\.css)"/.exec(page.text) ?? []
    const types = [page, await get(script), await get(style)].map(
      ({ headers }) => headers['content-type'],
    )
    expect(types).toEqual([
      expect.stringMatching(/^text\/html\b/),
      expect.stringMatching(/^text\/javascript\b/),
      expect.stringMatching(/^text\/css\b/),
    ])
  })

  it('listens on 127.0.0.1 only', async () => {
    const { url } = await startInspector()
    const { port } = new URL(url)
    const error = await new Promise((resolve, reject) => {
      const responds = () => reject(new Error('it responds'))
      request({ host: '127.0.0.2', port, path: '/' }, responds).on('error', resolve).end()
    })
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('responds with 413 to a command of more than 8 MiB', async () => {
    const { post } = await startInspector()
    const { status } = await post('send', { body: { text: 'x'.repeat(8_388_608) } })
    expect(status).toBe(413)
  })

  it('responds with 422 to what is no command, and names the wrong part', async () => {
    const { post } = await inspecting()
    const body = { text: '{}' }
    for (const [wrong, name] of [
      [{ body: 1 }, 'body'],
      [{ body: {} }, 'body'],
      [{ body: { text: 5, base64: 'e30=' } }, 'body'],
      [{ body, copies: 101 }, 'copies'],
      [{ body, tamper: 'everything' }, 'tamper'],
      [{ body, from: 1 }, 'from'],
    ] as const) {
      const { status, text } = await post('send', { target: 'it', ...wrong })
      expect(status).toBe(422)
      expect(JSON.parse(text).message).toContain(`\`${name}\` should be`)
    }
    expect((await post('send', { target: 'http://evil.example/', body })).status).toBe(422)
    expect((await post('send', { target: 'it', from: { n: 9, attempt: 1 } })).status).toBe(410)
  })
})
