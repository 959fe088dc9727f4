/** Of the contract, as in its paths; not of this package. */
export const VERSION = '1'

export const LICENSE = { name: 'MIT', identifier: 'MIT' } as const

/** What both descriptions begin with. */
export const ABOUT =
  'A messaging service registers webhooks and sends signed deliveries to them. These documents are generated from the types and constants of @webhook-receiver/core. Where the contract of the service defines nothing, they say what the receivers of @webhook-receiver do. These are choices of ours; the service has not promised them.'
