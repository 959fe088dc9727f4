import { cp, readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startApplication } from '../../program.mjs'
import { install, ours } from '../install.mjs'
import { COMPATIBILITY, startWorker } from './workerd.mjs'

const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url))
const DEPENDENCIES = {
  ...ours(['core', 'diagnose', 'hono', 'schemes']),
  '@hono/node-server': '2',
  hono: '4',
  esbuild: '0.28',
}

const ARGUMENTS = {
  node: (file) => [file],
  bun: (file) => [file],
  deno: (file) => ['run', '--allow-all', '--quiet', file],
}

/** Installs the packed packages, and what the vectors are sent to, in a separate folder. */
export async function installSurfaces(folder, registry) {
  await install(folder, DEPENDENCIES, { registry })
  for (const file of await readdir(PROGRAMS)) await cp(join(PROGRAMS, file), join(folder, file))
  // As a bundler for Workers resolves it; the surfaces also alone, for other runtimes to run on WebCrypto.
  await createRequire(join(folder, 'package.json'))('esbuild').build({
    absWorkingDir: folder,
    entryPoints: ['workerd.mjs', 'surfaces.mjs'],
    outdir: 'bundled',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'error',
  })
}

/**
 * Starts a surface on a runtime, in a separate process.
 *
 * @param {'own' | 'web'} backend what the runtime chooses, or WebCrypto.
 */
export function startSurface(folder, runtime, settings, backend = 'own') {
  const env = { SETTINGS: JSON.stringify(settings) }
  if (runtime.kind === 'workerd') {
    const options = { bindings: env, compatibility: COMPATIBILITY }
    return startWorker(runtime.binary, join(folder, 'bundled/workerd.mjs'), options)
  }
  const args = ARGUMENTS[runtime.kind](`${runtime.kind}.mjs`)
  env.SURFACES = backend === 'own' ? './surfaces.mjs' : './bundled/surfaces.mjs'
  const printed = /^port (\d+)$/m
  return startApplication(args, { command: runtime.binary, cwd: folder, env, printed })
}

/**
 * The surface as an adapter of the conformance suite. The application stays in this process, where its runs
 * are counted: the surface calls back for each delivery, and waits.
 */
export function adapterOf(folder, runtime, surface) {
  return async ({ secret, now, path, onDelivery }) => {
    const callback = await listenFor(onDelivery)
    const settings = { surface, secret, clock: now() / 1000, path, callback: callback.url }
    const program = await startSurface(folder, runtime, settings).catch((error) => {
      callback.close()
      throw error
    })
    return {
      port: program.port,
      close: async () => {
        await program.stop('SIGKILL')
        callback.close()
      },
    }
  }
}

async function listenFor(onDelivery) {
  const server = createServer(async (request, response) => {
    let status = 204
    try {
      const chunks = []
      for await (const chunk of request) chunks.push(chunk)
      await onDelivery(JSON.parse(String(Buffer.concat(chunks))))
      if (request.headers.polluted !== 'false') process.exitCode = 1
    } catch {
      status = 500
    }
    response.writeHead(status).end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
