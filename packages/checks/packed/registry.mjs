import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { inTemporaryFolder, packAll } from '../pack.mjs'
import { run } from '../step.mjs'

/** Gives `work` a folder outside of the workspace, and a registry that holds the packed packages. */
export async function withPackedPackages(work) {
  await inTemporaryFolder(async (folder) => {
    const registry = await serveRegistry(await packAll(join(folder, 'packed')))
    try {
      return await work({ folder, registry })
    } finally {
      registry.close()
    }
  })
}

/**
 * A registry that holds the packed packages and nothing else, so that an example can be installed as it is, before
 * they are published. Everything that is not ours comes from where it always comes from.
 */
async function serveRegistry(tarballs) {
  const documents = new Map()
  const files = new Map(Object.values(tarballs).map((file) => [`/${basename(file)}`, file]))
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    const file = files.get(path)
    const document = documents.get(path)
    if (file) return createReadStream(file).pipe(response)
    response.writeHead(document ? 200 : 404, {
      'Content-Type': 'application/json',
      // The next run may listen on the same port, with other packages.
      'Cache-Control': 'no-store',
    })
    response.end(JSON.stringify(document ?? {}))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}/`
  for (const [name, file] of Object.entries(tarballs)) {
    documents.set(`/${name}`, await documentOf(name, file, url))
  }
  return {
    /** Lets whatever installs in a folder find our packages here. */
    writeSettings: (folder) =>
      writeFile(join(folder, '.npmrc'), `@webhook-receiver:registry=${url}\n`),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function documentOf(name, file, url) {
  const manifest = JSON.parse(await run('tar', ['-xOf', file, 'package/package.json']))
  const bytes = await readFile(file)
  const dist = {
    tarball: url + basename(file),
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    shasum: createHash('sha1').update(bytes).digest('hex'),
  }
  const { version } = manifest
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
}
