import { resolve } from 'node:path'
import { readCommandLine } from '../command-line.mjs'
import { packAll } from '../pack.mjs'

const folder = { what: 'where to', value: 'folder', read: (given) => given }
const { positionals } = readCommandLine(
  'prove -- tarballs',
  'Packs the public packages into a folder (tarballs). The release workflow publishes these files.',
  {},
  folder,
)
console.log(Object.values(await packAll(resolve(positionals[0] ?? 'tarballs'))).join('\n'))
