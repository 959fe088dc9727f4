// Packs the public packages into a folder: `npm run prove -- tarballs FOLDER`. The release workflow publishes these files.
import { resolve } from 'node:path'
import { packAll } from '../pack.mjs'

console.log(Object.values(await packAll(resolve(process.argv[2] ?? 'tarballs'))).join('\n'))
