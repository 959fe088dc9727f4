import type { ChildProcess } from 'node:child_process'

export interface ContenderSettings {
  readonly ids: number
  readonly copies: number
  readonly mode: 'lease' | 'transaction'
  readonly fate?: 'hang' | 'hang after commit'
  /** Where its store is: what `program` needs. */
  readonly [name: string]: unknown
}

export interface Contenders {
  start(settings: ContenderSettings): Promise<ChildProcess>
  go(child: ChildProcess): Promise<unknown>
  kill(child: ChildProcess): Promise<void>
  killAll(): Promise<void>
}

export function createContenders(program: string): Contenders
