import { chmod, lstat, rm, writeFile } from 'node:fs/promises'
import { publicFormOf } from '@webhook-receiver/schemes/neighbours'
import { keyPairFor, serviceFile } from '@webhook-receiver/schemes/services'
import {
  type CommandContext,
  messageOf,
  printable,
  shellWord,
  UsageError,
  wrap,
  writeJson,
} from '../console/index.ts'
import { findScheme } from '../options/find-scheme.ts'
import { checkSigner, general, type MakeCommand, newCommand, samplesOf } from '../options/index.ts'
import type { NamedScheme } from '../options/named-scheme.ts'

/** `keys`: a pair of keys, to sign in place of a service that shares no secret. */
export const keysCommand: MakeCommand = (context, end) =>
  general(
    newCommand('keys', 'Make test keys for a service that shares no secret', [
      'keys telnyx',
      'keys discord-interactions --out test/discord',
    ])
      .argument(
        '<service>',
        'service that signs with a private key, or the path of a module that exports its scheme',
      )
      .optionsGroup('Files:')
      .option('--out <path>', 'write <path>.key and <path>.pub (default: the service)')
      .option('--force', 'replace these files'),
  ).action(async (name, { out, force, json }) => {
    const { scheme } = await findScheme(name)
    const { title = scheme.name } = scheme
    checkSigner(scheme)
    if (publicFormOf(scheme) === undefined) {
      throw new UsageError(
        `${title} shares its secret, which signs too: no keys are needed. Give the server and the command the same secret, or let emulate make one.`,
      )
    }
    const path = out ?? scheme.name
    const files = { privateKey: `${path}.key`, publicKey: `${path}.pub` }
    if (!force) await assertAbsent(Object.values(files))
    const pair = keyPairFor(scheme)
    await write(files.privateKey, pair.privateKey, 0o600)
    await write(files.publicKey, `${pair.publicKey}\n`, 0o644)
    if (json) {
      writeJson(context.stdout, {
        service: scheme.name,
        private_key_in: files.privateKey,
        public_key_in: files.publicKey,
        public_key: pair.publicKey,
      })
    } else await explain(scheme, files, context)
    end(0)
  })

type Files = Readonly<Record<'privateKey' | 'publicKey', string>>

/** @throws UsageError for files that are there: what signs for a running server would be lost. */
async function assertAbsent(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (!(await lstat(path).catch(() => undefined))) continue
    throw new UsageError(
      `${path} exists already. Nothing was changed. Name other files with --out, or replace them with --force.`,
    )
  }
}

/** A new file, so that nobody reads it who could read the one before. */
async function write(path: string, text: string, mode: number): Promise<void> {
  try {
    await rm(path, { force: true })
    await writeFile(path, text, { flag: 'wx', mode, flush: true })
    // The mode above is without what the process is not to give.
    await chmod(path, mode)
  } catch (error) {
    throw new UsageError(`The keys cannot be written: ${messageOf(error)}.`)
  }
}

async function explain(
  scheme: NamedScheme['scheme'],
  { privateKey, publicKey }: Files,
  { stdout }: CommandContext,
): Promise<void> {
  const { name, title = name } = scheme
  const [event = 'test'] = await samplesOf(scheme)
  const variable = serviceFile(name)?.variable ?? 'WEBHOOK_SECRET'
  const width = Math.max(privateKey.length, publicKey.length)
  const lines = [
    `${privateKey.padEnd(width)}  private key, which signs: only you can read it`,
    `${publicKey.padEnd(width)}  public key, as ${title} shows its own: the secret of your server`,
    '',
    'Start your server with the public key, and send it a delivery:',
    `  export ${variable}="$(cat ${shellWord(publicKey)})"`,
    `  npx webhook-receiver send ${shellWord(event)} localhost:3000/webhooks/${shellWord(name)} \\`,
    `    --scheme ${shellWord(name)} --secret-file ${shellWord(privateKey)}`,
    '',
    ...wrap(
      `Whoever has ${privateKey} can sign for that server: keep it out of your repository, and use the key of ${title} in production.`,
      0,
    ),
  ]
  stdout.write(`${lines.map(printable).join('\n')}\n`)
}
