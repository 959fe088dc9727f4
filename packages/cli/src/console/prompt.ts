import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { CommandContext } from './context.ts'
import { Interrupted } from './failure.ts'

/** Asks on standard error, and shows nothing of what is typed. */
export function hiddenPrompt(
  question: string,
  { stdin, stderr }: Pick<CommandContext, 'stdin' | 'stderr'>,
): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: stdin, output: nowhere, terminal: true })
  stderr.write(question)
  return new Promise<string>((resolve, reject) => {
    reader.once('line', resolve)
    // In raw mode Ctrl-C is a key and no signal.
    reader.once('SIGINT', () => reject(new Interrupted()))
    reader.once('close', () => reject(new Interrupted('Nothing was typed.')))
  }).finally(() => {
    reader.close()
    stderr.write('\n')
  })
}
