import type { Parts } from './parts.ts'

/** What a framework whose files are its routes runs on. */
export const LASTING = 'where a process stays: not on Vercel or Netlify'

export function lazySecret({ service }: Parts, builder: string): string {
  return `// A function, because \`${builder}\` loads this file without it.
() => process.env.${service.variable}`
}

/** For the methods by which the service checks the endpoint. */
export function checksToo({ service }: Parts, type = ''): string {
  const lines = service.checks.map((method) => `\nexport const ${method}${type} = POST`)
  return lines.length > 0 ? `\n${lines.join('')}` : ''
}
