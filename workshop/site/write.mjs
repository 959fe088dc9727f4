// Writes what is generated: the blocks between two comments of all documents, and the page of a new service. `npm run site:write`
// With --check, it writes nothing and prints what it would write.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { firstRun } from './reference/first-run.mjs'
import { optionList } from './reference/options.mjs'
import { newSkillFile, skill, skillFile } from './reference/skill.mjs'
import {
  imports,
  proof,
  serviceIndex,
  serviceList,
  tokenStrip,
  unjudgedText,
} from './services/lists.mjs'
import { newPage, parts } from './services/pages.mjs'
import { serverOf } from './services/servers.mjs'
import { services, tokens } from './services/services.mjs'
import { ROOT, read } from './sources.mjs'

const isCheck = process.argv[2] === '--check'

const RENDERERS = {
  firstRun,
  imports,
  options: optionList,
  proof,
  services: serviceList,
  page: ofService(parts.page),
  route: ofService(parts.route),
  server: (name) => serverOf(tokens.find((token) => token.name === name)),
  facts: ofService(parts.facts),
  serviceIndex,
  skill,
  skillFile: ofService(skillFile),
  strip: tokenStrip,
  unjudged: unjudgedText,
}

const BEGIN = '<!-- Written by `npm run site:write`:'
const END = '<!-- end -->'

/** The first comment says what is rendered: `options packages/core/src/options.ts ReceiverOptions`. */
const BLOCK = new RegExp(`^${BEGIN} (\\w+)((?: [\\w./-]+)*) -->\\n.*?^${END}$`, 'gms')

const search = ['grep', '-l', '--untracked', BEGIN, '--', '*.md']
const written = execFileSync('git', search, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
const pages = new Map(
  services.flatMap((service) => [
    [`docs/services/${service.name}.md`, () => newPage(service)],
    [`packages/schemes/skill/services/${service.name}.md`, () => newSkillFile(service)],
  ]),
)
for (const file of new Set([...written, ...pages.keys()])) {
  const path = ROOT + file
  const page = existsSync(path) ? read(file) : pages.get(file)()
  const text = await rendered(page)
  if (existsSync(path) && text === page) continue
  console.log(file)
  if (!isCheck) writeFileSync(path, text)
}
// A receiver that has held a line back waits for a minute to say so.
process.exit()

async function rendered(page) {
  const texts = []
  for (const [, kind, args] of page.matchAll(BLOCK)) {
    const text = await RENDERERS[kind](...args.trim().split(' '))
    texts.push(`${BEGIN} ${kind}${args} -->\n\n${text}\n\n${END}`)
  }
  return page.replace(BLOCK, () => texts.shift())
}

function ofService(render) {
  return (name) => render(services.find((service) => service.name === name))
}
