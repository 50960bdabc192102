// What Metro bundles for the test: the code of the screen, as a global.

import { backend } from 'sendoff/sign'
import { compose, judge } from '../src/transfer'

Object.assign(globalThis, { transfer: { backend, compose, judge } })
