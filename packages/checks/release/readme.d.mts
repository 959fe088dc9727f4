export interface FirstSteps {
  readonly install?: string
  readonly program?: { readonly language: string; readonly code: string }
  readonly command?: string
}

export function firstSteps(readme: string): FirstSteps

export function importsOf(code: string): string[]
