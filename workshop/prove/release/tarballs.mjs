import { resolve } from 'node:path'
import { readCommandLine } from '../command-line.mjs'
import { packAll } from '../pack.mjs'

const USAGE = `npm run prove -- tarballs [folder]
Packs the public packages into a folder (tarballs). The release workflow publishes these files.`

const folder = { type: 'string', expected: 'a folder', read: (given) => given }
const { positionals } = readCommandLine(USAGE, {}, folder)
console.log(Object.values(await packAll(resolve(positionals[0] ?? 'tarballs'))).join('\n'))
