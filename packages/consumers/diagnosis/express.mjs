import * as adapter from '@webhook-receiver/express'
import express from 'express'
import { toExpress } from './to-express.cjs'

await toExpress(adapter, express)
