export function generatedFiles(): Promise<
  readonly { readonly file: string; readonly text: string }[]
>
