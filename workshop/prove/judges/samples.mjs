// Runs the sample code of services that have no SDK which verifies: as it is, from clones of their repositories.
import { execFileSync, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { madeBy } from './sdks.mjs'

/**
 * What the sample code of a service verifies.
 *
 * @param clones a folder with clones as `owner/name`, of which a file is read at the commit that was last compared.
 * @param folder where the SDKs are installed, and TypeScript.
 */
export function loadSample(clones, folder, sdk) {
  const { repository, commit, path } = sdk.sample
  const text = execFileSync('git', ['-C', join(clones, repository), 'show', `${commit}:${path}`], {
    encoding: 'utf8',
  })
  const run = path.endsWith('.py') ? pythonOf(text) : moduleOf(text, folder)
  return { version: commit.slice(0, 12), ...madeBy(sdk, run) }
}

/** A function that runs a file with these modules and globals, and returns what it exports. */
function moduleOf(text, folder) {
  const ts = createRequire(join(folder, 'package.json'))('typescript')
  const compilerOptions = { module: 'CommonJS', target: 'ES2022', esModuleInterop: true }
  const { outputText } = ts.transpileModule(text, { compilerOptions })
  const require = createRequire(import.meta.url)
  return (modules = {}, globals = {}) => {
    const module = { exports: {} }
    const given = {
      console: { log() {}, info() {}, error() {} },
      process: { env: {} },
      ...globals,
      require: (name) => modules[name] ?? require(name),
      module,
      exports: module.exports,
    }
    new Function(...Object.keys(given), outputText)(...Object.values(given))
    return module.exports
  }
}

/** A function that runs a file and an expression behind it, where every module that Python does not have is a stub. */
function pythonOf(text) {
  return (environment, expression, input) => {
    const { stdout, stderr, status } = spawnSync('python3', ['-c', STUBBED], {
      input: JSON.stringify({ text, environment, expression, input }),
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
}

const STUBBED = `
import base64, json, os, sys
from unittest.mock import MagicMock

given = json.load(sys.stdin)
os.environ.update(given["environment"])
for name in ("dropbox", "dropbox.files", "flask", "markdown", "redis"):
    sys.modules[name] = MagicMock()
flask = sys.modules["flask"]
flask.Flask.return_value.route = lambda *path, **options: lambda function: function
flask.abort = lambda status: sys.exit(print(json.dumps(status)))
flask.request.headers = given["input"]["headers"]
flask.request.data = base64.b64decode(given["input"]["body"])
names = {"__name__": "sample"}
exec(given["text"], names)
try:
    eval(given["expression"], names)
except (KeyError, TypeError, ValueError):
    pass  # Behind the signature it reads the body, and not all are what it expects.
print(json.dumps(200))
`
