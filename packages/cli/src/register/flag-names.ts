import { UsageError } from '../failure.ts'

/** Replaces the names of options in an error of the client by the flags of the command line. */
export async function withFlagNames<Result>(
  check: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const message = error.message
      .replaceAll('`allowInsecureLoopback: true`', '--allow-insecure-loopback')
      .replace(/set (--allow)/, 'add $1')
      .replace(/`([a-z]+(?:[A-Z][a-z]+)*)`/g, (_, name: string) => flagOf(name))
    throw new UsageError(message)
  }
}

function flagOf(option: string): string {
  if (option === 'apiKey') return 'the API key'
  const flag = option === 'extraEvents' ? 'extraEvent' : option
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
