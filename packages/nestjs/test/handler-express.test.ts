import { describePlatform } from './handler-suite.ts'

describePlatform('express')
