import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What the clients upload, as { size, headers, chunked }. Each client resolves to a status, or to its error. */
export const clients = {
  'node:http': viaHttp,
  fetch: viaFetch,
  curl: viaCurl,
  'http.client': viaPython,
}

/** The commands that two of the clients need and that are not here. */
export async function missingCommands() {
  const found = await Promise.allSettled([
    run('curl', ['--version']),
    run('python3', ['--version']),
  ])
  return ['curl', 'python3'].filter((_, index) => found[index].status === 'rejected')
}

function viaHttp(port, { size, headers, chunked }) {
  return new Promise((resolve) => {
    const framing = chunked ? {} : { 'Content-Length': size }
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path: '/webhooks',
        method: 'POST',
        agent: false,
        headers: { ...headers, ...framing },
      },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode))
        response.once('error', (error) => resolve(error.code))
      },
    )
    outgoing.on('error', (error) => resolve(error.code))
    outgoing.end(Buffer.alloc(size, 'x'))
  })
}

async function viaFetch(port, { size, headers, chunked }) {
  const body = Buffer.alloc(size, 'x')
  try {
    const response = await fetch(`http://127.0.0.1:${port}/webhooks`, {
      method: 'POST',
      headers,
      ...(chunked ? { body: new Blob([body]).stream(), duplex: 'half' } : { body }),
    })
    await response.text()
    return response.status
  } catch (error) {
    return error.cause?.code ?? error.message
  }
}

async function viaCurl(port, { size, headers, chunked }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (chunked) lines.push('Transfer-Encoding: chunked')
  return withFile(size, async (file) => {
    const { stdout } = await run('curl', [
      ...['--silent', '--output', '/dev/null', '--write-out', '%{http_code} %{exitcode}'],
      ...lines.flatMap((line) => ['--header', line]),
      ...['--data-binary', `@${file}`, `http://127.0.0.1:${port}/webhooks`],
    ]).catch((error) => ({ stdout: `curl ended with ${error.code}` }))
    const [status, exitCode] = stdout.split(' ')
    return exitCode === '0' ? Number(status) : stdout
  })
}

const PYTHON = `
import http.client, json, sys
port, size, chunked, headers = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "true", json.loads(sys.argv[4])
connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
body = (b"x" * 65536 for _ in range(size // 65536)) if chunked else b"x" * size
try:
    connection.request("POST", "/webhooks", body=body, headers=headers, encode_chunked=chunked)
    print(connection.getresponse().status)
except Exception as error:
    print(type(error).__name__)
`

async function viaPython(port, { size, headers, chunked }) {
  const framing = chunked ? { 'Transfer-Encoding': 'chunked' } : {}
  const { stdout } = await run('python3', [
    ...['-c', PYTHON, String(port), String(size), String(Boolean(chunked))],
    JSON.stringify({ ...headers, ...framing }),
  ])
  return Number(stdout) || stdout.trim()
}

async function withFile(size, use) {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'))
  try {
    const file = join(folder, 'body')
    await writeFile(file, Buffer.alloc(size, 'x'))
    return await use(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}
