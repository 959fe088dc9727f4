require('./to-express.cjs').toExpress(require('@webhook-receiver/express'), require('express'))
