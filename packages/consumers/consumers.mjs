// Installs the packed packages as a user does, out of reach of this workspace, and puts them to work.
import { join } from 'node:path'
import { inTemporaryFolder, packAll } from '@webhook-receiver/tools/pack.mjs'
import { conclude, pairwise, step } from '@webhook-receiver/tools/step.mjs'
import { checkDiagnosis, installDiagnosis } from './packed/diagnosis.mjs'
import { checkBackends, checkEntries, installEntries } from './packed/entries.mjs'
import { ENDS, installConsumer } from './packed/install.mjs'
import { serveAll } from './packed/serve.mjs'
import { RESOLUTIONS, typecheck } from './packed/typecheck.mjs'

await inTemporaryFolder(async (folder) => {
  const alone = join(folder, 'alone')
  const tarballs = await step('pack', () => packAll(join(folder, 'packed')))
  await step('install every package without its peers', () => installEntries(alone, tarballs))
  await pairwise(ENDS, (end) =>
    step(`install with the ${end} peers`, () => installConsumer(join(folder, end), tarballs, end)),
  )

  const diagnosis = join(folder, 'diagnosis')
  await step('install with and without the diagnosis', () => installDiagnosis(diagnosis, tarballs))

  const results = [
    {
      name: 'every entry point loads',
      problems: await step('import and require', () => checkEntries(alone)),
    },
    { name: 'core picks its backend', problems: await step('bundle', () => checkBackends(alone)) },
    {
      name: 'the diagnosis is there, or is told of',
      problems: await step('diagnose', () => checkDiagnosis(diagnosis)),
    },
    ...(await step('serve', () => serveAll(folder))),
    ...(await step('compile', () => compileAll(folder))),
  ]
  conclude(results)
})

function compileAll(folder) {
  const runs = ENDS.flatMap((end) => RESOLUTIONS.map((resolution) => ({ end, resolution })))
  return pairwise(runs, async ({ end, resolution }) => ({
    name: `types, ${resolution}, ${end} peers`,
    problems: await typecheck({ folder: join(folder, end), resolution }),
  }))
}
