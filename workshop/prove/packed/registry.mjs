import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { listening } from '@webhook-receiver/conformance'
import { inTemporaryFolder, packAll } from '../pack.mjs'
import { run } from '../step.mjs'

/** Gives `work` a folder outside of the workspace, and a registry that holds the packed packages. */
export async function withPackedPackages(work) {
  await inTemporaryFolder(async (folder) => {
    const tarballs = await packAll(join(folder, 'packed'))
    const registry = await serveRegistry(tarballs)
    try {
      return await work({ folder, registry })
    } finally {
      registry.close()
    }
  })
}

/** The command, whose name has no scope. */
const COMMAND = 'webhook-receiver'

/**
 * A registry that holds the packed packages and what is published to it, so that an example can be installed as it is, before
 * they are published. Everything that is not ours comes from where it always comes from.
 */
export async function serveRegistry(tarballs = {}) {
  const documents = new Map()
  const files = new Map()
  const elsewhere = (await run('npm', ['config', 'get', 'registry'])).trim()
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    if (request.method === 'PUT') {
      const status = publish(path, JSON.parse(String(Buffer.concat(await request.toArray()))))
      return response.writeHead(status).end('{}')
    }
    if (files.has(path)) return response.end(files.get(path))
    if (!path.startsWith('/@webhook-receiver/') && path !== `/${COMMAND}`) {
      return response.writeHead(302, { Location: new URL(request.url, elsewhere).href }).end()
    }
    const document = documents.get(path)
    response.writeHead(document ? 200 : 404, {
      'Content-Type': 'application/json',
      // The next run may listen on the same port, with other packages.
      'Cache-Control': 'no-store',
    })
    response.end(JSON.stringify(document ?? {}))
  })
  const { port, close } = await listening(server)
  const url = `http://127.0.0.1:${port}/`
  for (const [name, file] of Object.entries(tarballs)) {
    const bytes = await readFile(file)
    documents.set(`/${name}`, await documentOf(name, file, bytes, url))
    files.set(`/${basename(file)}`, bytes)
  }

  /** What `npm publish` sends: the document of the package with its one version, and the tarball. */
  function publish(path, { _attachments: attachments, ...document }) {
    // A registry takes no version twice, and here each package has one.
    if (documents.has(path)) return 409
    documents.set(path, document)
    const [{ dist }] = Object.values(document.versions)
    const [{ data }] = Object.values(attachments)
    files.set(new URL(dist.tarball).pathname, Buffer.from(data, 'base64'))
    return 201
  }

  return {
    /** All packed packages, for `dependencies`; the command by its address, since a folder finds only a scope here. */
    packages: Object.fromEntries(
      Object.entries(tarballs).map(([name, file]) => [
        name,
        name === COMMAND ? url + basename(file) : '*',
      ]),
    ),
    /** Variables with which npm asks here for everything, so that it finds the command by its name. */
    environment(variables = process.env) {
      const others = Object.entries(variables).filter(
        ([name]) => !/^npm_config_registry$/i.test(name),
      )
      return { ...Object.fromEntries(others), NPM_CONFIG_REGISTRY: url }
    },
    /** Lets whatever installs in a folder find our packages here; with `publish`, npm publishes here from it. */
    writeSettings(folder, use = 'install') {
      const settings = {
        install: `@webhook-receiver:registry=${url}\n`,
        // npm publishes only with a token.
        publish: `registry=${url}\n${url.replace('http:', '')}:_authToken=rehearsal\n`,
      }
      return writeFile(join(folder, '.npmrc'), settings[use])
    },
    close,
  }
}

/** What a registry says of a package. */
async function documentOf(name, file, bytes, url) {
  const manifest = JSON.parse(await run('tar', ['-xOf', file, 'package/package.json']))
  const digest = (algorithm, encoding) => createHash(algorithm).update(bytes).digest(encoding)
  const dist = {
    tarball: url + basename(file),
    integrity: `sha512-${digest('sha512', 'base64')}`,
    shasum: digest('sha1', 'hex'),
  }
  const { version } = manifest
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
}
