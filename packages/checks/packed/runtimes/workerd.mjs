import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startApplication } from '../../program.mjs'

/**
 * Starts a bundled Worker, a single ES module, on a free port.
 *
 * @param {string} binary of workerd.
 * @param {string} module the file of the Worker.
 * @param {object} options
 * @param {Readonly<Record<string, string>>} options.bindings
 * @param {string} options.date that of the Worker's compatibility
 * @param {string} options.before code that runs before that of the Worker.
 */
export async function startWorker(binary, module, { bindings, date, before }) {
  const folder = await mkdtemp(join(dirname(module), 'serve-'))
  const entry = `import './before.mjs'\nexport { default } from './worker.mjs'\n`
  await writeFile(join(folder, 'entry.mjs'), entry)
  await writeFile(join(folder, 'before.mjs'), before)
  await cp(module, join(folder, 'worker.mjs'))
  await writeFile(join(folder, 'config.capnp'), configuration(bindings, date))
  return startApplication(['serve', 'config.capnp', '--control-fd=3'], {
    command: binary,
    cwd: folder,
    printed: /"socket":"http","port":(\d+)/,
    fourth: 'pipe',
  })
}

const MODULES = ['entry.mjs', 'before.mjs', 'worker.mjs']

function configuration(bindings, date) {
  // JSON's escapes are those of Cap'n Proto's text format, for what is passed here.
  const text = JSON.stringify
  const list = Object.entries(bindings).map(
    ([name, value]) => `(name = ${text(name)}, text = ${text(value)})`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
const worker :Workerd.Worker = (
  modules = [${MODULES.map((name) => `(name = "${name}", esModule = embed "${name}")`).join(', ')}],
  compatibilityDate = ${text(date)},
  bindings = [${list.join(', ')}],
);
`
}
