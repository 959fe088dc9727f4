import { createRequire } from 'node:module'
import { join } from 'node:path'
import { install } from './install.mjs'

/** Installed here and not in this repository, because it brings 160 packages. */
const PARSER = { '@asyncapi/parser': '3.6.3' }

/** Says that there is an AsyncAPI 3.1. More tools read 3.0. */
const IGNORED = 'asyncapi-latest-version'

/** Reads the packed asyncapi.json with the parser of the AsyncAPI project. Gives what that finds. */
export async function checkAsyncApi(folder, tarballs) {
  const contract = '@webhook-receiver/contract'
  await install(folder, { [contract]: `file:${tarballs[contract]}`, ...PARSER })
  const require = createRequire(join(folder, 'package.json'))
  const { Parser } = require('@asyncapi/parser')
  const found = await new Parser().validate(require(`${contract}/asyncapi.json`))
  return found
    .filter(({ code }) => code !== IGNORED)
    .map(({ code, path, message }) => `${path.join('.')}: ${message} (${code})`)
}
