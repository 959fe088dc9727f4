import type { Application, ApplicationOptions } from './program.mjs'

export function exampleFolder(example: string): string

export function scriptArguments(example: string, script?: string): string[]

export function startExample(
  example: string,
  options?: ApplicationOptions & { readonly args?: readonly string[] },
): Promise<Application>
