import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@webhook-receiver/tools/step.mjs'
import { install } from './install.mjs'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PROGRAMS = fileURLToPath(new URL('../diagnosis/', import.meta.url))
const MODULES = { mjs: 'esm', cjs: 'cjs' }
const NAME = '@webhook-receiver/diagnose'

/**
 * Installs core without the diagnosis, and the Express adapter, which brings it along, with pnpm, where a package gets only what
 * it declares.
 */
export async function installDiagnosis(folder, tarballs) {
  const alone = join(folder, 'core')
  const core = '@webhook-receiver/core'
  await install(alone, { [core]: tarballs[core] }, { esbuild: '0.28' })
  await cp(PROGRAMS, alone, { recursive: true })
  const strict = join(folder, 'express')
  await installStrictly(strict, tarballs, ['@webhook-receiver/express'], { express: '5' })
  await cp(PROGRAMS, strict, { recursive: true })
}

/**
 * Core without the diagnosis says what to install, also in a bundle: a bundler that failed would make the package obligatory. The
 * adapter diagnoses. Gives what was wrong.
 */
export async function checkDiagnosis(folder) {
  const alone = join(folder, 'core')
  const { build } = createRequire(join(alone, 'package.json'))('esbuild')
  const checks = Object.entries(MODULES).map(async ([extension, format]) => {
    const bundle = join('bundled', `core.${extension}`)
    await build({
      absWorkingDir: alone,
      entryPoints: [`core.${extension}`],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format,
      logLevel: 'silent',
    })
    return [
      ...(await problemsOf(alone, `core.${extension}`, false)),
      ...(await problemsOf(alone, bundle, false)),
      ...(await problemsOf(join(folder, 'express'), `express.${extension}`, true)),
    ]
  })
  return (await Promise.all(checks)).flat()
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

/** As `install`, with pnpm: nothing is in reach that a package does not declare. */
async function installStrictly(folder, tarballs, names, others) {
  const files = Object.entries(tarballs).map(([name, file]) => [name, `file:${file}`])
  const overrides = Object.fromEntries(files)
  const ours = Object.fromEntries(names.map((name) => [name, overrides[name]]))
  const manifest = { private: true, dependencies: { ...ours, ...others }, pnpm: { overrides } }
  const { packageManager } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  await writeFile(join(folder, '.npmrc'), 'node-linker=isolated\nhoist=false\n')
  await run('npx', ['-y', packageManager, 'install', '--ignore-scripts'], { cwd: folder })
}
