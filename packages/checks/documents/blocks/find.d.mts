export interface Block {
  readonly document: string
  readonly heading: string
  readonly code: string
  readonly needs: readonly string[]
  readonly kind: 'server' | 'route' | 'lambda' | 'queue' | undefined
  readonly page: string
}

export const DOCS: string

export function isSearched(name: string): boolean

export function findBlocks(): readonly Block[]

export function nameOf(block: Pick<Block, 'document' | 'heading'>): string
