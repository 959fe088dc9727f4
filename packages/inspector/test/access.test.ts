import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { ask, inspecting, post, startInspector, startReceiver } from './setup.ts'

describe('who gets in', () => {
  it('responds with 403 without the whole token, whatever is asked for', async () => {
    const { url } = await startInspector()
    const { origin, pathname } = new URL(url)
    const token = pathname.slice(1, -1)
    const prefixes = Array.from(token, (_, length) => token.slice(0, length))
    const others = [token.toUpperCase(), token.toLowerCase(), token.slice(1), `${token}x`]
    const paths = [...prefixes, ...others].map((wrong) => `/${wrong}/`)
    for (const path of [...paths, '/api/events', `/${'x'.repeat(32)}/api/attempt?n=1`]) {
      const { status, text } = await ask(`${origin}${path}`)
      expect(status, path).toBe(403)
      expect(text).toContain('no valid token')
    }
    expect((await ask(url)).status).toBe(200)
    expect((await ask(url.slice(0, -1))).headers.location).toBe(pathname)
  })

  it('responds with 421 to a foreign Host, also with the token', async () => {
    const { url } = await startInspector()
    const { port } = new URL(url)
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1:1']) {
      expect((await ask(url, { headers: { Host: host } })).status, host).toBe(421)
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect((await ask(url, { headers: { Host: host } })).status, host).toBe(200)
    }
  })

  it('responds with 403 to another origin, and sends nothing', async () => {
    const receiver = await startReceiver()
    const { url } = await inspecting({ url: receiver.url })
    const command = JSON.stringify({ target: 'it', body: { text: '{}' } })
    for (const foreign of [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      const headers = { 'Content-Type': 'application/json', ...foreign }
      const { status } = await ask(`${url}api/send`, { method: 'POST', headers, body: command })
      expect(status, JSON.stringify(foreign)).toBe(403)
      expect((await ask(`${url}api/events`, { headers: foreign })).status).toBe(403)
    }
    expect(receiver.ids).toEqual([])
    const link = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    }
    expect((await ask(url, { headers: link })).status).toBe(200)
    expect((await ask(url, { headers: { ...link, 'Sec-Fetch-Dest': 'iframe' } })).status).toBe(403)
  })

  it('responds with 415 to a form, which another page could post without asking', async () => {
    const { url } = await startInspector()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const headers = { 'Content-Type': type }
      expect((await ask(`${url}api/clear`, { method: 'POST', headers })).status).toBe(415)
    }
  })

  it('responds with 405 to other methods and 404 to other paths', async () => {
    const { url } = await startInspector()
    const { status, headers } = await ask(`${url}api/send`, { method: 'DELETE' })
    expect([status, headers.allow]).toEqual([405, 'GET, POST'])
    expect((await ask(`${url}api/nothing`)).status).toBe(404)
    expect((await ask(`${url}assets/..%2f..%2fpackage.json`)).status).toBe(404)
    expect((await ask(`${url}../../package.json`)).status).toBe(403)
  })

  it('forbids inline code, other servers and frames on every response', async () => {
    const { url } = await startInspector()
    for (const address of [url, `${url}api/nothing`, new URL('/', url).href]) {
      const { headers } = await ask(address)
      const policy = headers['content-security-policy']
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("require-trusted-types-for 'script'")
      expect(policy).not.toContain('unsafe')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      expect(headers['cross-origin-opener-policy']).toBe('same-origin')
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  it('names the type of what it serves, which a browser does not guess', async () => {
    const { url } = await startInspector()
    const page = await ask(url)
    const [, script = ''] = /src="(?:\.\/)?([^"]+\.js)"/.exec(page.text) ?? []
    const [, style = ''] = /href="(?:\.\/)?([^"]+\.css)"/.exec(page.text) ?? []
    const types = [page, await ask(`${url}${script}`), await ask(`${url}${style}`)].map(
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
    const error = await new Promise<NodeJS.ErrnoException>((resolve, reject) => {
      const sent = request({ host: '127.0.0.2', port, path: '/' }, () =>
        reject(new Error('it responds')),
      )
      sent.on('error', resolve)
      sent.end()
    })
    expect(error.code).toBe('ECONNREFUSED')
  })

  it('responds with 413 to a command of more than 8 MiB', async () => {
    const { url } = await startInspector()
    const { status } = await post(url, 'send', { body: { text: 'x'.repeat(8_388_608) } })
    expect(status).toBe(413)
  })

  it('responds with 422 to what is no command, and names the wrong part', async () => {
    const { url } = await inspecting()
    const body = { text: '{}' }
    for (const [wrong, name] of [
      [{ body: 1 }, 'body'],
      [{ body: {} }, 'body'],
      [{ body: { text: 5, base64: 'e30=' } }, 'body'],
      [{ body, copies: 101 }, 'copies'],
      [{ body, tamper: 'everything' }, 'tamper'],
      [{ body, from: 1 }, 'from'],
    ] as const) {
      const { status, text } = await post(url, 'send', { target: 'it', ...wrong })
      expect([status, JSON.parse(text).message]).toEqual([
        422,
        expect.stringContaining(`\`${name}\` should be`),
      ])
    }
    expect((await post(url, 'send', { target: 'http://evil.example/', body })).status).toBe(422)
    expect((await post(url, 'send', { target: 'it', from: { n: 9, attempt: 1 } })).status).toBe(410)
  })
})
