import { optional, type Rule, stringRule } from '@webhook-receiver/core/adapter'

/** The option `path`, for applications without a router. */
export const PATH: Rule<string | undefined> = optional(
  stringRule("a path without a query, such as '/webhooks'", /^\/[^?#]*$/),
)
