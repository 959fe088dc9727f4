import type { DeliveryStore } from '@webhook-receiver/core'

export const settings: Readonly<Record<string, string>>

export interface Contender<Transaction> {
  readonly store: Pick<DeliveryStore, 'claim' | 'complete'>
  readonly transact?: (
    key: string,
    work: (transaction: Transaction) => Promise<void>,
  ) => Promise<unknown>
  /** What the handler of a delivery does. */
  readonly effect?: (key: string, transaction: Transaction | undefined) => unknown
  readonly close?: () => unknown
}

export function contend<Transaction = undefined>(contender: Contender<Transaction>): void
