import type { Application, ApplicationOptions } from './program.mjs'

export function exampleFolder(example: string): string

export function scriptArguments(example: string, script?: string): string[]

export function startExample(
  example: string,
  options?: ApplicationOptions & { readonly args?: readonly string[] },
): Promise<Application>

export function copyExample(
  example: string,
  copy: string,
  rewrite?: (source: string, file: string) => string,
): void

export function compileExample(copy: string): void
