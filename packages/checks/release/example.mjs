import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePorts } from '../free-ports.mjs'
import { run } from '../step.mjs'
import { exerciseFor } from './exercises.mjs'
import { firstSteps, importsOf } from './readme.mjs'

const COMPILE = [
  '--strict',
  '--experimentalDecorators',
  '--module',
  'nodenext',
  '--target',
  'es2022',
  '--types',
  'node',
]

/** Follows the README of a published package in an empty folder, and gives what came of it. */
export async function follow(published, { checkout, env, folder }) {
  const { name, version } = published
  const readme = await readFile(join(checkout, published.folder, 'README.md'), 'utf8')
  const { install, program, command } = firstSteps(readme)
  const result = { name, version, install, seconds: 0, saw: '', problems: [] }
  const shell = (line) => run('sh', ['-c', line], { cwd: folder, env })
  try {
    if (!install) throw new Error('The README has no line that begins with "npm install".')
    await mkdir(folder, { recursive: true })
    // Without it npm would write to one further up.
    await writeFile(join(folder, 'package.json'), '{}')
    const started = performance.now()
    await shell(install)
    result.seconds = (performance.now() - started) / 1000
    const installed = JSON.parse(await manifestOf(folder, name)).version
    if (installed !== version) throw new Error(`${install} installs version ${installed}.`)

    const [port] = await freePorts(1)
    const file = program && (await compile(program, port, { checkout, folder, shell }))
    const exercise = exerciseFor(name, program?.code)
    result.saw = await exercise({ folder, env, shell, command, file, port })
  } catch (error) {
    result.problems.push(error.message)
  }
  return result
}

/** Checks the types of a program, with a port that is free here in the place of 3000. Gives the JavaScript file. */
async function compile({ language, code }, port, { checkout, folder, shell }) {
  const file = join(folder, `example.m${language}`)
  await writeFile(file, code.replaceAll('3000', String(port)))
  if (language === 'js') return file
  const types = ['@types/node']
  // Of ours, one has only JSON, and the others have types.
  for (const name of importsOf(code).filter((found) => !found.startsWith('@webhook-receiver/'))) {
    const named = /"(types|typings)"\s*:/.test(await manifestOf(folder, name))
    const beside = existsSync(join(folder, 'node_modules', name, 'index.d.ts'))
    if (!named && !beside) types.push(typesOf(name))
  }
  await shell(`npm install --save-dev ${types.join(' ')}`)
  const tsc = join(checkout, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, ...COMPILE, file], { cwd: folder })
  return join(folder, 'example.mjs')
}

function manifestOf(folder, name) {
  const file = join(folder, 'node_modules', name, 'package.json')
  if (!existsSync(file)) throw new Error(`The install line of the README does not install ${name}.`)
  return readFile(file, 'utf8')
}

/** Where DefinitelyTyped has the types of a package. */
function typesOf(name) {
  return `@types/${name.replace('@', '').replace('/', '__')}`
}
