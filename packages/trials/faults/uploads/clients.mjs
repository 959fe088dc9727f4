import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Clients that upload `size` bytes with `headers`, `chunked` or with their length announced. Each resolves to the
 * status that it sees, or to its error.
 */
export const clients = { 'node:http': viaHttp, fetch: viaFetch, curl: viaCurl, python3: viaPython }

/** The commands that are not installed here. */
export async function missingCommands() {
  const commands = ['curl', 'python3']
  const found = await Promise.allSettled(commands.map((command) => run(command, ['--version'])))
  return commands.filter((_, index) => found[index].status === 'rejected')
}

function viaHttp(url, { size, headers, chunked }) {
  const framing = chunked ? {} : { 'Content-Length': size }
  return new Promise((resolve) => {
    const options = { method: 'POST', agent: false, headers: { ...headers, ...framing } }
    const outgoing = request(url, options, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
      response.once('error', (error) => resolve(error.code))
    })
    outgoing.on('error', (error) => resolve(error.code))
    outgoing.end(Buffer.alloc(size, 'x'))
  })
}

async function viaFetch(url, { size, headers, chunked }) {
  const body = Buffer.alloc(size, 'x')
  const content = chunked ? { body: new Blob([body]).stream(), duplex: 'half' } : { body }
  try {
    const response = await fetch(url, { method: 'POST', headers, ...content })
    await response.text()
    return response.status
  } catch (error) {
    return error.cause?.code ?? error.message
  }
}

async function viaCurl(url, { size, headers, chunked }) {
  const all = chunked ? { ...headers, 'Transfer-Encoding': 'chunked' } : headers
  const folder = await mkdtemp(join(tmpdir(), 'upload-'))
  try {
    await writeFile(join(folder, 'body'), Buffer.alloc(size, 'x'))
    const { stdout } = await run('curl', [
      ...['--silent', '--output', '/dev/null', '--write-out', '%{http_code} %{exitcode}'],
      ...Object.entries(all).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
      ...['--data-binary', `@${join(folder, 'body')}`, url],
    ]).catch((error) => ({ stdout: `curl ended with ${error.code}` }))
    const [status, exitCode] = stdout.split(' ')
    return exitCode === '0' ? Number(status) : stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

const PYTHON = `
import http.client, json, sys
from urllib.parse import urlsplit
url, size, chunked, headers = urlsplit(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "true", json.loads(sys.argv[4])
connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
body = (b"x" * 65536 for _ in range(size // 65536)) if chunked else b"x" * size
try:
    connection.request("POST", url.path, body=body, headers=headers, encode_chunked=chunked)
    print(connection.getresponse().status)
except Exception as error:
    print(type(error).__name__)
`

async function viaPython(url, { size, headers, chunked }) {
  const all = chunked ? { ...headers, 'Transfer-Encoding': 'chunked' } : headers
  const args = [url, String(size), String(Boolean(chunked)), JSON.stringify(all)]
  const { stdout } = await run('python3', ['-c', PYTHON, ...args])
  return Number(stdout) || stdout.trim()
}
