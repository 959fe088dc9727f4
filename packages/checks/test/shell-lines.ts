import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './documents.ts'

/** What a reader has, or gets from elsewhere. Any other word at the start of a command is a problem. */
const PROGRAMS = new Set(
  'bun cat cp curl cut date deno echo export node openssl printf python3 sam sed sha256sum sudo'.split(
    ' ',
  ),
)
const FROM_NPM = new Set(
  '@redocly/cli changeset create-next-app next nuxt quicktype sv tsx vite vitest wrangler'.split(
    ' ',
  ),
)

/** What the commands of a document name that does not exist: programs, scripts, packages, commands, files. */
export function findMissing(name: string, text: string): readonly string[] {
  const page = { name, text }
  return [
    ...commandsIn(BLOCK, text).flatMap((words) => [
      ...missingFrom(words, page),
      ...missingFiles(words, page),
    ]),
    ...commandsIn(INLINE, text).flatMap((words) => missingFrom(words, page)),
  ]
}

interface Page {
  readonly name: string
  readonly text: string
}

const BLOCK = /^ *```(?:sh|bash|shell|console)\b[^\n]*\n(.*?)^ *```$/gms

const INLINE = /`((?:npm|npx|webhook-receiver) [^`\n]+)`/g

function commandsIn(pattern: RegExp, text: string): readonly (readonly string[])[] {
  return [...text.matchAll(pattern)].flatMap(([, commands = '']) => commandsOf(commands))
}

/** The words of each command, also of those inside `$(…)`. Comments and settings of variables are left out. */
function commandsOf(block: string): string[][] {
  const commands: string[][] = []
  for (const line of block.replaceAll('\\\n', '').split('\n')) {
    let command: string[] = []
    commands.push(command)
    for (const [word] of line.replace(/(^|\s)#.*/, '').matchAll(WORD)) {
      for (const [, inner = ''] of word.matchAll(/\$\((.*)\)/g)) commands.push(...commandsOf(inner))
      if (/^[|&;]+$/.test(word)) {
        command = []
        commands.push(command)
      } else if (command.length > 0 || !/^\w+=/.test(word)) command.push(word)
    }
  }
  return commands.filter((words) => words.length > 0)
}

const WORD = /(?:\$\([^)]*\)|'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"|&;])+|[|&;]+/g

function missingFrom(words: readonly string[], page: Page): readonly string[] {
  const [program = '', ...args] = words
  const own = words.flatMap((word) => /^@webhook-receiver\/[\w-]+/.exec(word) ?? [])
  return [
    ...(exists(program, args, page) ? [] : [words.slice(0, 4).join(' ')]),
    ...own.filter((found) => !existsSync(join(root, found.replace(SCOPE, 'packages')))),
  ]
}

const SCOPE = '@webhook-receiver'

function exists(program: string, args: readonly string[], page: Page): boolean {
  if (program === 'npm') return isScript(args, page)
  if (program === 'webhook-receiver') return isCommand(args[0])
  if (program !== 'npx') return PROGRAMS.has(program)
  const [wanted = '', command] = args.filter((word) => word !== '-y')
  if (wanted === `${SCOPE}/cli`) return isCommand(command)
  if (wanted.startsWith('pnpm@')) return wanted === manifest('.').packageManager
  return FROM_NPM.has(wanted.replace(/(?<=.)@.*/, ''))
}

function isScript(args: readonly string[], page: Page): boolean {
  const [first = '', folder = '', ...rest] = args
  if (first === '--prefix') return isScript(rest, { name: join(folder, 'README.md'), text: '' })
  if (['init', 'install', 'pkg', 'publish', 'view'].includes(first)) return true
  const script = first === 'run' ? args.slice(1).find((word) => !word.startsWith('-')) : first
  return foldersOf(page).some((one) => Object.hasOwn(manifest(one).scripts, script ?? ''))
}

/** An example is copied, and has only scripts of its own. Other pages are read in the checkout, or are about the examples that they link to. */
function foldersOf({ name, text }: Page): readonly string[] {
  if (name.startsWith('examples/')) return [dirname(name)]
  return [dirname(name), '.', ...(text.match(/(?<=\]\([./]*)examples\/[\w-]+/g) ?? [])]
}

function isCommand(name = ''): boolean {
  return name === '--help' || existsSync(join(root, 'packages/cli/src', name, 'command.ts'))
}

/** Files that are neither in the checkout nor shown on the page, in TypeScript or as JavaScript. */
function missingFiles(words: readonly string[], { name, text }: Page): readonly string[] {
  return words.filter(
    (word, at) =>
      /^[\w/.-]+\.(?:[cm]?[jt]s|py)$/.test(word) &&
      // Written by the command.
      words[at - 1] !== '-o' &&
      !text.includes(`[${word.replace(/\.\w+$/, '.')}`) &&
      !['.', dirname(name)].some((from) => existsSync(join(root, from, word))),
  )
}

function manifest(folder: string): { scripts: object; packageManager?: string } {
  const file = join(root, folder, 'package.json')
  return { scripts: {}, ...(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) }
}
