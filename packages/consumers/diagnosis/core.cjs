require('./to-core.cjs').toCore(require('@webhook-receiver/core'))
