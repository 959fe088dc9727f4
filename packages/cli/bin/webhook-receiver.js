#!/usr/bin/env node
// Here before anything is built, so that an installation of the repository can link it.
import '../dist/main.js'
