import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** What the runtime interface posted for an invocation. */
interface Invoked {
  readonly kind: 'response' | 'error' | 'exit'
  readonly value: unknown
}

/** The runtime interface client of AWS, with the API on this side that Lambda has: version 2018-06-01. */
export interface Runtime {
  invoke(event: unknown, seconds?: number): Promise<Invoked>
  /** What the function has printed. */
  output(): string
  stop(): Promise<void>
}

/** Starts `aws-lambda-ric` of a folder with a function of test/function.mjs. */
export async function startRuntime(folder: string, name: string): Promise<Runtime> {
  const asked: ((invocation: { id: string; event: unknown; deadline: number }) => void)[] = []
  const invocations: { id: string; event: unknown; deadline: number }[] = []
  const waiting = new Map<string, (invoked: Invoked) => void>()

  const server = createServer(async (req, res) => {
    if (req.url?.endsWith('/invocation/next')) {
      asked.push(({ id, event, deadline }) => {
        res.setHeader('Content-Type', 'application/json')
        res.setHeader('Lambda-Runtime-Aws-Request-Id', id)
        res.setHeader('Lambda-Runtime-Deadline-Ms', deadline)
        res.setHeader('Lambda-Runtime-Invoked-Function-Arn', 'arn:aws:lambda:::function:test')
        res.end(JSON.stringify(event))
      })
      return pass()
    }
    const [, id = '', kind] = /\/invocation\/([^/]+)\/(response|error)$/.exec(req.url ?? '') ?? []
    const body = Buffer.concat(await req.toArray()).toString()
    res.writeHead(202, { 'Content-Type': 'application/json' }).end('{"status":"OK"}')
    waiting.get(id)?.({ kind: kind as Invoked['kind'], value: JSON.parse(body) })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const client = join(folder, 'node_modules/aws-lambda-ric/bin/index.mjs')
  const child = spawn(process.execPath, [client, `function.${name}`], {
    cwd: import.meta.dirname,
    env: {
      ...process.env,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${(server.address() as AddressInfo).port}`,
      LAMBDA_TASK_ROOT: import.meta.dirname,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const ended = once(child, 'exit')

  function pass(): void {
    if (asked.length === 0) return
    const invocation = invocations.shift()
    if (invocation) asked.shift()?.(invocation)
  }

  return {
    output: () => output,
    invoke(event, seconds = 30) {
      const id = crypto.randomUUID()
      invocations.push({ id, event, deadline: Date.now() + seconds * 1000 })
      pass()
      const invoked = new Promise<Invoked>((resolve) => waiting.set(id, resolve))
      return Promise.race([invoked, ended.then(([value]) => ({ kind: 'exit', value }) as const)])
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
      server.closeAllConnections()
      server.close()
    },
  }
}
