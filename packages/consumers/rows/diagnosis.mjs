import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@webhook-receiver/tools/step.mjs'
import { ours } from '../install.mjs'

const PROGRAMS = fileURLToPath(new URL('../diagnosis/', import.meta.url))
const NAME = '@webhook-receiver/diagnose'
const FORMATS = { mjs: 'esm', cjs: 'cjs' }

/**
 * An adapter brings the diagnosis along, also where a package gets only what it declares. Core alone says what to install, also in
 * a bundle: a bundler that failed would make the package obligatory.
 */
export const diagnosisRows = [
  { name: 'diagnosis, express', short: true, run: diagnoses },
  { name: 'diagnosis, core without it', short: true, run: saysWhatToInstall },
]

async function diagnoses(context) {
  const folder = await context.installed(
    'diagnosis-express',
    { ...ours(['express']), express: '5' },
    { prepare: copyPrograms },
  )
  const programs = Object.keys(FORMATS).map((extension) => `express.${extension}`)
  const problems = await Promise.all(programs.map((program) => problemsOf(folder, program, true)))
  return { saw: 'diagnosed', problems: problems.flat() }
}

async function saysWhatToInstall(context) {
  const folder = await context.installed(
    'diagnosis-core',
    { ...ours(['core']), esbuild: '0.28' },
    { prepare: copyPrograms },
  )
  const { build } = createRequire(join(folder, 'package.json'))('esbuild')
  const problems = await Promise.all(
    Object.entries(FORMATS).map(async ([extension, format]) => {
      const program = `core.${extension}`
      const bundle = join('bundled', program)
      await build({
        absWorkingDir: folder,
        entryPoints: [program],
        outfile: bundle,
        bundle: true,
        platform: 'node',
        format,
        logLevel: 'silent',
      })
      return [
        ...(await problemsOf(folder, program, false)),
        ...(await problemsOf(folder, bundle, false)),
      ]
    }),
  )
  return { saw: 'told to install it', problems: problems.flat() }
}

function copyPrograms(folder) {
  return cp(PROGRAMS, folder, { recursive: true })
}

async function problemsOf(folder, program, diagnosed) {
  const env = { ...process.env, NODE_OPTIONS: '' }
  const output = await run(process.execPath, [program], { cwd: folder, env })
  const found = {
    answered: /^answered 401$/m.test(output),
    diagnosed: output.includes('Diagnosis: unknown'),
    'tells what to install': output.split(`npm install ${NAME}`).length === 2,
  }
  const expected = { answered: true, diagnosed, 'tells what to install': !diagnosed }
  return Object.entries(expected)
    .filter(([what, wanted]) => found[what] !== wanted)
    .map(([what, wanted]) => `${program}, ${what}: ${found[what]} instead of ${wanted}\n${output}`)
}
